// Markup that our own report wrote, in a shadow tree: its style stays inside, and the page's outside.
import { useEffect, useRef } from "preact/hooks";
import { go } from "../router";

// The report has none of these; should anything ever get past its escaping, it stops here and at the page's policy.
const FORBIDDEN = "script, iframe, frame, object, embed, link, meta, base, form, style, foreignObject, animate, set";

interface Props {
  readonly html: string;
  readonly style: string;
  /** Goes to a section of the report that a link names. */
  readonly follow: (id: string) => void;
}

export function Markup({ html, style, follow }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(follow);
  latest.current = follow;
  useEffect(() => {
    const host = place.current;
    if (!host) return;
    const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [sheetOf(style)];
    root.replaceChildren(...nodesOf(html));
    const click = (event: Event) => {
      const link = event.target instanceof Element ? event.target.closest("a[href^='#']") : null;
      const target = link?.getAttribute("href");
      if (!target) return;
      event.preventDefault();
      if (target.startsWith("#/")) return go(target);
      const inside = root.getElementById(target.slice(1));
      if (inside) inside.scrollIntoView();
      else latest.current(target.slice(1));
    };
    root.addEventListener("click", click);
    return () => root.removeEventListener("click", click);
  }, [html, style]);
  return <div class="markup" ref={place} />;
}

const sheets = new Map<string, CSSStyleSheet>();

// The report's own colours make way for the page's, so that both look alike.
const COLOURS = `:host{background:none;font-size:14px;line-height:1.45;--bg:transparent;--card:var(--surface);
--two:var(--series-2);--three:var(--series-8);--stripe:var(--ground);--bad:var(--danger-soft);--badline:var(--danger);
--note:var(--accent-soft)}h3:first-child{margin-top:8px}`;

/** The report's style for a shadow tree: what is said of the page is said of the tree. */
function sheetOf(style: string): CSSStyleSheet {
  const known = sheets.get(style);
  if (known) return known;
  const sheet = new CSSStyleSheet();
  const inside = style.replace(/:root\s*\{[^}]*\}/g, "").replace(/(^|[},\s])body(?=[\s{,])/g, "$1:host");
  sheet.replaceSync(inside + COLOURS);
  sheets.set(style, sheet);
  return sheet;
}

function nodesOf(html: string): Node[] {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  for (const element of parsed.querySelectorAll(FORBIDDEN)) element.remove();
  const styles: [Element, string][] = [];
  for (const element of parsed.body.querySelectorAll("*")) {
    for (const { name, value } of [...element.attributes]) {
      if (name === "style") styles.push([element, value]);
      if (name === "style" || name.startsWith("on") || !harmless(name, value)) element.removeAttribute(name);
    }
  }
  for (const wide of parsed.querySelectorAll(".scroll, pre")) wide.setAttribute("tabindex", "0"); // for the keyboard
  const nodes = [...parsed.body.childNodes].map((node) => document.adoptNode(node));
  // The page's policy refuses style attributes in markup, but not what a script of ours sets.
  for (const [element, text] of styles) {
    if (element instanceof HTMLElement || element instanceof SVGElement) element.style.cssText = text;
  }
  return nodes;
}

function harmless(name: string, value: string): boolean {
  const local = name.replace(/^.*:/, "");
  if (local === "src") return value.startsWith("data:image/");
  if (local === "href") return value.startsWith("#") || /^https?:\/\//.test(value);
  return local !== "srcdoc" && local !== "action" && local !== "formaction";
}
