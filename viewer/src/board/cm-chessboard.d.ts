// The part of cm-chessboard that is used here; the package has no types of its own.

declare module "cm-chessboard/src/Chessboard.js" {
  export interface MoveInputEvent {
    type: "moveInputStarted" | "movingOverSquare" | "validateMoveInput" | "moveInputCanceled" | "moveInputFinished";
    squareFrom: string;
    squareTo?: string;
    animate?: boolean;
  }
  export class Chessboard {
    constructor(context: HTMLElement, props: Record<string, unknown>);
    setPosition(fen: string, animated?: boolean): Promise<void>;
    setOrientation(color: "w" | "b", animated?: boolean): Promise<void>;
    enableMoveInput(handler: (event: MoveInputEvent) => boolean | void, color?: "w" | "b"): void;
    disableMoveInput(): void;
    cancelMoveInput(): void;
    destroy(): void;
  }
}

declare module "cm-chessboard/src/lib/Svg.js" {
  export class Svg {
    static createSvg(container?: Element): SVGSVGElement;
    static addElement(parent: Element, name: string, attributes?: Record<string, string | number>): SVGElement;
  }
}
