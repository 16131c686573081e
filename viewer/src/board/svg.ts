// The games draw their boards themselves, and what they draw is escaped. This is the second line of defence: whatever
// is in the source, only shapes, words and harmless attributes reach the page.

const ELEMENTS = new Set(
  ("svg g path rect circle ellipse line polyline polygon text tspan title desc defs marker use symbol clippath " +
    "lineargradient radialgradient stop mask pattern").split(" "),
);
const SAFE_NAME = /^(?!on)[a-z][a-z0-9_:.-]*$/i;

function isSafe(name: string, value: string): boolean {
  const local = name.toLowerCase().replace(/^.*:/, "");
  if (!SAFE_NAME.test(name) || local.startsWith("on")) return false;
  // Style attributes are refused by the page's policy anyway, and would only fill the console.
  if (local === "style" || local === "class" || local === "src") return false;
  if (local === "href") return value.trim().startsWith("#");
  return !/url\(\s*(?!["']?#)/i.test(value) && !/javascript:/i.test(value);
}

function clean(element: Element): void {
  for (const child of [...element.children]) {
    if (ELEMENTS.has(child.localName.toLowerCase())) clean(child);
    else child.remove();
  }
  for (const { name, value } of [...element.attributes]) {
    if (!isSafe(name, value)) element.removeAttribute(name);
  }
}

/** The picture as an element of this page in which nothing can run; null where the source is no SVG. */
export function readSvg(source: string): SVGSVGElement | null {
  const root = new DOMParser().parseFromString(source, "image/svg+xml").documentElement;
  if (root.localName !== "svg" || root.querySelector("parsererror")) return null;
  clean(root);
  const svg = document.importNode(root, true) as unknown as SVGSVGElement;
  svg.removeAttribute("width"); // the page decides; the viewBox keeps the shape
  svg.removeAttribute("height");
  return svg;
}
