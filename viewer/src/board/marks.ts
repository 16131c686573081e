// Marks that the viewer draws over a board: the move that was made, the move that would have been best.

export interface Mark {
  kind: "best" | "played";
  action: string; // in the game's notation
}

const SVG = "http://www.w3.org/2000/svg";

function make(name: string, attributes: Record<string, string | number>): SVGElement {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

/** A line with a head, from one point to another, in the units of the drawing. */
export function arrow(x1: number, y1: number, x2: number, y2: number, width: number, kind: string): SVGElement {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const head = width * 3;
  const [bx, by] = [x2 - ux * head, y2 - uy * head];
  const half = width * 1.7;
  const group = make("g", { class: `mark mark-${kind}` });
  group.append(
    make("path", { class: "mark-line", d: `M${x1} ${y1}L${bx} ${by}`, "stroke-width": width }),
    make("path", {
      class: "mark-head",
      d: `M${x2} ${y2}L${bx - uy * half} ${by + ux * half}L${bx + uy * half} ${by - ux * half}Z`,
    }),
  );
  return group;
}

/** The places that a drawing lists: "x y width height name;...". */
function listed(svg: SVGSVGElement, name: string): DOMRect | null {
  for (const place of (svg.getAttribute("data-places") ?? "").split(";")) {
    const [x, y, width, height, ...words] = place.split(" ");
    if (words.join(" ") === name) return new DOMRect(Number(x), Number(y), Number(width), Number(height));
  }
  return null;
}

/** Where a move or a square is, in the units of the whole drawing. */
function boxOf(svg: SVGSVGElement, key: string): DOMRect | null {
  const quoted = CSS.escape(key);
  const found = svg.querySelector<SVGGraphicsElement>(`[data-square="${quoted}"],[data-action="${quoted}"]`);
  const [inner, outer] = [found?.getScreenCTM(), svg.getScreenCTM()];
  if (!found || !inner || !outer) return listed(svg, key);
  const box = found.getBBox();
  const move = outer.inverse().multiply(inner); // whatever groups the element lies in
  const corner = new DOMPoint(box.x, box.y).matrixTransform(move);
  const far = new DOMPoint(box.x + box.width, box.y + box.height).matrixTransform(move);
  return new DOMRect(corner.x, corner.y, far.x - corner.x, far.y - corner.y);
}

/** The two places of a move that is written as two squares ("c3b4", "27x18", "9-13"), where the drawing has both. */
export function endsOf(svg: SVGSVGElement, action: string): [DOMRect, DOMRect] | null {
  const squares = action.match(/[a-z]\d{1,2}|\d{1,2}/g);
  if (!squares || squares.length < 2) return null;
  const first = boxOf(svg, squares[0] as string);
  const last = boxOf(svg, squares[squares.length - 1] as string);
  return first && last ? [first, last] : null;
}

/** Draws the marks over the picture. A move that the picture has no place for is left to the words beside it. */
export function drawMarks(svg: SVGSVGElement, marks: readonly Mark[]): void {
  svg.querySelector(".marks")?.remove();
  const layer = make("g", { class: "marks", "aria-hidden": "true" });
  for (const mark of marks) {
    const box = boxOf(svg, mark.action);
    if (box) {
      const inset = Math.min(box.width, box.height) * 0.06;
      layer.append(
        make("rect", {
          class: `mark mark-${mark.kind} mark-box`,
          x: box.x + inset,
          y: box.y + inset,
          width: Math.max(1, box.width - 2 * inset),
          height: Math.max(1, box.height - 2 * inset),
          rx: inset * 2,
          "stroke-width": Math.max(1.5, Math.min(box.width, box.height) * 0.07),
        }),
      );
      continue;
    }
    const ends = endsOf(svg, mark.action);
    if (!ends) continue;
    const [from, to] = ends;
    const centre = (b: DOMRect): [number, number] => [b.x + b.width / 2, b.y + b.height / 2];
    layer.append(arrow(...centre(from), ...centre(to), Math.min(from.width, from.height) * 0.1, mark.kind));
  }
  svg.append(layer);
}
