import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { followDrag } from "./drag";
import { drawMarks, type Mark } from "./marks";
import { makeCurrent, rove } from "./rove";
import type { Spot } from "./spots";
import { readSvg } from "./svg";

interface Props {
  svg: string;
  label: string;
  marks?: readonly Mark[];
  spots?: ReadonlyMap<string, Spot>; // what can be pressed; nothing where it is left out
  onSpot?: (key: string) => void;
}

const NONE: ReadonlyMap<string, Spot> = new Map();

function keyOf(element: Element, spots: ReadonlyMap<string, Spot>): string | null {
  for (const name of ["data-action", "data-square"]) {
    const key = element.getAttribute(name);
    if (key !== null && spots.has(key)) return key;
  }
  return null;
}

/** Every element that can be pressed, once each, in the order of the drawing. */
function find(svg: SVGSVGElement, spots: ReadonlyMap<string, Spot>): SVGElement[] {
  return [...svg.querySelectorAll<SVGElement>("[data-action],[data-square]")].filter((el) => keyOf(el, spots) !== null);
}

/** Makes the spots buttons, for pointers, keys and screen readers alike. */
function prepare(svg: SVGSVGElement, spots: ReadonlyMap<string, Spot>, current: string | null): void {
  for (const old of svg.querySelectorAll(".spot")) {
    old.removeAttribute("class");
    old.removeAttribute("tabindex");
    old.removeAttribute("role");
  }
  const found = find(svg, spots);
  for (const element of found) {
    const spot = spots.get(keyOf(element, spots) as string) as Spot;
    element.setAttribute("class", `spot spot-${spot.role}`);
    element.setAttribute("role", "button");
    const own = element.getAttribute("data-label") ?? element.getAttribute("aria-label") ?? keyOf(element, spots) ?? "";
    element.setAttribute("data-label", own); // the name without what can be done now
    element.setAttribute("aria-label", spot.words ? `${own}, ${spot.words}` : own);
    if (spot.role === "selected") element.setAttribute("aria-pressed", "true");
    else element.removeAttribute("aria-pressed");
  }
  makeCurrent(found, found.find((element) => keyOf(element, spots) === current) ?? found[0]);
}

/** A board as its game draws it. */
export function SvgBoard({ svg: source, label, marks, spots = NONE, onSpot }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const shown = useRef<SVGSVGElement | null>(null);
  const waiting = useRef<string | null>(null); // where the keyboard was when there was nothing left to press
  const svg = useMemo(() => readSvg(source), [source]);

  useLayoutEffect(() => {
    const box = host.current;
    if (!box) return;
    const before = shown.current?.querySelector<SVGElement>(".spot[tabindex='0']");
    const active = document.activeElement;
    const stays = waiting.current !== null && (active === document.body || active === shown.current);
    const focused = (before != null && before === active) || stays;
    const current = before?.getAttribute("data-action") ?? before?.getAttribute("data-square") ?? waiting.current;
    if (shown.current !== svg) box.replaceChildren(...(svg ? [svg] : []));
    shown.current = svg;
    if (!svg) return;
    svg.setAttribute("aria-label", label);
    svg.setAttribute("role", spots.size ? "group" : "img");
    prepare(svg, spots, current);
    drawMarks(svg, marks ?? []);
    // A person at the keyboard goes on where they were.
    const spot = svg.querySelector<SVGElement>(".spot[tabindex='0']");
    waiting.current = focused && !spot ? (current ?? "") : null;
    if (!spot) svg.setAttribute("tabindex", "-1");
    if (focused) (spot ?? svg).focus();
  }, [svg, label, spots, marks]);

  const press = (element: Element) => {
    const key = keyOf(element, spots);
    if (key !== null) onSpot?.(key);
  };
  const now = useRef({ spots, onSpot }); // a drag outlives the spots that it began with
  now.current = { spots, onSpot };
  const drag = (event: PointerEvent) => {
    const place = (event.target as Element).closest("[data-square]");
    const key = place && keyOf(place, spots);
    if (!key || !svg || !host.current || event.button !== 0 || event.pointerType === "touch") return;
    if (!["from", "selected"].includes(spots.get(key)?.role ?? "")) return;
    const pressAs = (role: string, pressed: string | null) =>
      pressed !== null && now.current.spots.get(pressed)?.role === role ? (now.current.onSpot?.(pressed), true) : false;
    followDrag(event, host.current, svg, place, {
      taken: () => pressAs("from", key),
      dropped: (at) => {
        const target = at?.closest("[data-square]");
        // Let go elsewhere it stays where it was, and nothing is chosen.
        if (!pressAs("to", target ? keyOf(target, now.current.spots) : null)) pressAs("selected", key);
      },
    });
  };
  return (
    <div
      class="svg-board"
      ref={host}
      onClick={(event) => {
        const element = (event.target as Element).closest("[data-action],[data-square]");
        if (element) press(element);
      }}
      onPointerDown={drag}
      onKeyDown={(event) => {
        if (svg) rove(event, find(svg, spots), press);
      }}
    />
  );
}
