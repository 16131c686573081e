// Making text that others wrote safe to look at.

export interface Piece {
  readonly text: string;
  /** Whether it stands for characters that would not be seen or would reorder what is seen. */
  readonly hidden: boolean;
}

// Controls except tab and line feed, marks of direction, zero-width and other invisible characters, tags, variation
// selectors beyond the usual ones, private lines of terminals, and halves of surrogate pairs.
const UNSEEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]|\p{Surrogate}/gu;

// A megabyte of nothing but controls must not become a million elements.
const MOST = 2000;

// Marks piled upon one letter can cover the lines around it.
const PILE = /(\p{M}{4})\p{M}+/gu;

/** The text in pieces, with what cannot be seen written out as in "\u202e". */
export function visible(text: string): Piece[] {
  const pieces: Piece[] = [];
  const tidy = text.replace(/\r\n/g, "\n").replace(PILE, "$1");
  let at = 0;
  for (const found of tidy.matchAll(UNSEEN)) {
    if (pieces.length >= MOST) {
      pieces.push({ text: tidy.slice(at).replace(UNSEEN, escaped), hidden: false });
      return pieces;
    }
    if (found.index > at) pieces.push({ text: tidy.slice(at, found.index), hidden: false });
    const last = pieces.at(-1);
    const name = escaped(found[0]);
    if (last?.hidden) pieces[pieces.length - 1] = { text: last.text + name, hidden: true };
    else pieces.push({ text: name, hidden: true });
    at = found.index + found[0].length;
  }
  if (at < tidy.length) pieces.push({ text: tidy.slice(at), hidden: false });
  return pieces;
}

/** The same as one text, for where there can be no elements: titles, options. */
export function plain(text: string): string {
  return visible(text)
    .map((piece) => piece.text)
    .join("");
}

/** As JSON and the exported records escape it. */
function escaped(character: string): string {
  let text = "";
  for (let i = 0; i < character.length; i++) text += `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`;
  return text;
}

const LINES = 80;

/** Where text is folded: after so many characters or lines, never inside a surrogate pair. */
export function foldAt(text: string, limit: number): number {
  let end = Math.min(text.length, limit);
  let line = -1;
  for (let n = 0; n < LINES; n++) {
    line = text.indexOf("\n", line + 1);
    if (line < 0 || line >= end) break;
    if (n === LINES - 1) end = line;
  }
  // Hiding a handful of characters behind a button helps nobody.
  if (text.length - end < 200 && text.length <= limit * 1.2 && line < 0) return text.length;
  const before = text.charCodeAt(end - 1);
  return end < text.length && before >= 0xd800 && before < 0xdc00 ? end - 1 : end;
}
