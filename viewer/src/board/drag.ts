// Moving what stands on a place by dragging it. With a mouse or a pen: a finger taps, and scrolls the page, as ever.

const FAR = 6; // pixels from which on it is no click

interface Hand {
  taken: () => void;
  /** Where it was let go: whatever is at that point, null outside the board. */
  dropped: (at: Element | null) => void;
}

/** The shapes that stand in the middle of a place. What its game draws there is one piece to the eye, whatever it is. */
function piece(svg: SVGSVGElement, place: Element): SVGGraphicsElement[] {
  const box = place.getBoundingClientRect();
  const near = (a: number, b: number, size: number) => Math.abs(a - b) < size / 4;
  return [...svg.querySelectorAll<SVGGraphicsElement>("circle,ellipse,path,polygon,polyline,text,use,rect")].filter((shape) => {
    if (shape.closest("[data-clickable],defs,.marks")) return false;
    const own = shape.getBoundingClientRect();
    return (
      own.width < 0.97 * box.width &&
      own.height < 0.97 * box.height &&
      near(own.x + own.width / 2, box.x + box.width / 2, box.width) &&
      near(own.y + own.height / 2, box.y + box.height / 2, box.height)
    );
  });
}

/** Copies of shapes above the drawing, in its own units. */
function lifted(svg: SVGSVGElement, shapes: readonly SVGGraphicsElement[]): SVGGElement {
  const group = document.createElementNS("http://www.w3.org/2000/svg", "g");
  group.setAttribute("class", "dragged");
  const here = svg.getScreenCTM()?.inverse();
  for (const shape of shapes) {
    const copy = shape.cloneNode(true) as SVGGraphicsElement;
    const there = shape.getScreenCTM();
    if (here && there) {
      const { a, b, c, d, e, f } = here.multiply(there);
      copy.setAttribute("transform", `matrix(${a} ${b} ${c} ${d} ${e} ${f})`);
    }
    group.append(copy);
  }
  svg.append(group);
  return group;
}

/** Follows a pointer that went down on a place, and becomes a drag once it has moved. */
export function followDrag(down: PointerEvent, host: HTMLElement, svg: SVGSVGElement, place: Element, hand: Hand): void {
  let group: SVGGElement | null = null;
  let shapes: [SVGGraphicsElement, string | null][] = []; // with how opaque they are
  const mine = (event: PointerEvent) => event.pointerId === down.pointerId;

  const move = (event: PointerEvent) => {
    if (!mine(event)) return;
    const [dx, dy] = [event.clientX - down.clientX, event.clientY - down.clientY];
    if (!group) {
      if (Math.hypot(dx, dy) < FAR) return;
      host.setPointerCapture(down.pointerId); // not before: a click would be the board's, and no place's
      const found = piece(svg, place);
      group = lifted(svg, found);
      shapes = found.map((shape) => [shape, shape.getAttribute("opacity")]);
      for (const shape of found) shape.setAttribute("opacity", "0.25");
      hand.taken();
    }
    const scale = svg.getScreenCTM()?.a ?? 1;
    group.setAttribute("transform", `translate(${dx / scale} ${dy / scale})`);
  };
  const end = (event: PointerEvent) => {
    if (!mine(event)) return;
    host.removeEventListener("pointermove", move);
    host.removeEventListener("pointerup", end);
    host.removeEventListener("pointercancel", end);
    if (!group) return;
    group.remove();
    for (const [shape, before] of shapes) {
      if (before === null) shape.removeAttribute("opacity");
      else shape.setAttribute("opacity", before);
    }
    const at = event.type === "pointerup" ? document.elementFromPoint(event.clientX, event.clientY) : null;
    hand.dropped(at && host.contains(at) ? at : null);
  };
  host.addEventListener("pointermove", move);
  host.addEventListener("pointerup", end);
  host.addEventListener("pointercancel", end);
}
