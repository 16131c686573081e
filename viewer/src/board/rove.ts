// Roving tabindex in two dimensions: one spot of a board is in the tab order, arrow keys go to the nearest spot in
// that direction.

type Element2D = HTMLElement | SVGElement;

const WAYS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export function makeCurrent(spots: readonly Element2D[], current: Element2D | undefined): void {
  for (const spot of spots) spot.setAttribute("tabindex", spot === current ? "0" : "-1");
}

function centre(element: Element2D): [number, number] {
  const box = element.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

/** The spot that an arrow key goes to: the nearest one that lies more in that direction than aside. */
export function towards(spots: readonly Element2D[], from: Element2D, key: string): Element2D | null {
  const way = WAYS[key];
  if (!way) return null;
  const [x, y] = centre(from);
  let best: Element2D | null = null;
  let least = Infinity;
  for (const spot of spots) {
    if (spot === from) continue;
    const [a, b] = centre(spot);
    const along = (a - x) * way[0] + (b - y) * way[1];
    const aside = Math.abs((a - x) * way[1]) + Math.abs((b - y) * way[0]);
    if (along <= 1 || aside > along * 1.5) continue;
    const cost = along + 2 * aside;
    if (cost < least) [best, least] = [spot, cost];
  }
  return best;
}

/** Handles a key on a board. True where it was used. */
export function rove(event: KeyboardEvent, spots: readonly Element2D[], press: (spot: Element2D) => void): boolean {
  const target = spots.find((spot) => spot === event.target);
  if (!target || event.altKey || event.ctrlKey || event.metaKey) return false;
  if (event.key === "Enter" || event.key === " ") {
    press(target);
  } else if (event.key === "Home" || event.key === "End") {
    const spot = spots[event.key === "Home" ? 0 : spots.length - 1];
    makeCurrent(spots, spot);
    spot?.focus();
  } else {
    if (!(event.key in WAYS)) return false;
    const next = towards(spots, target, event.key);
    if (next) {
      makeCurrent(spots, next);
      next.focus();
    }
  }
  event.preventDefault();
  event.stopPropagation(); // arrow keys go on a board, not through the moves
  return true;
}
