import { TextBlock } from "../parts/TextBlock";

/** The state in words, for games without a picture: there the text is the board. Everything in it is text. */
export function TextBoard({ text, label }: { text: string; label: string }) {
  return <TextBlock class="text-board" text={text} limit={30_000} label={label} />;
}
