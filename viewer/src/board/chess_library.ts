// cm-chessboard, made to work under this page's policy. It writes `style` attributes, which the policy refuses; the
// same words through the style object are allowed. Its pieces are placed in the page, so it has no file to fetch.

import { Chessboard } from "cm-chessboard/src/Chessboard.js";
import { Svg } from "cm-chessboard/src/lib/Svg.js";
import { placePieces } from "./pieces";

let tamed = false;

function tame(): void {
  if (tamed) return;
  tamed = true;
  const { createSvg, addElement } = Svg;
  Svg.createSvg = (container) => {
    const svg = createSvg(container);
    const set = svg.setAttribute.bind(svg);
    svg.setAttribute = (name, value) => {
      if (name === "style") svg.style.cssText = value;
      else set(name, value);
    };
    return svg;
  };
  Svg.addElement = (parent, name, attributes = {}) => {
    const { style, ...rest } = attributes;
    const element = addElement(parent, name, rest);
    if (style !== undefined) element.style.cssText = String(style);
    return element;
  };
}

/** A board of the library in this element. */
export function makeChessboard(host: HTMLElement, fen: string, orientation: "w" | "b"): Chessboard {
  tame();
  placePieces();
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  return new Chessboard(host, {
    position: fen,
    orientation,
    style: { cssClass: "ludometer", showCoordinates: true, borderType: "none", animationDuration: calm ? 0 : 180 },
  });
}
