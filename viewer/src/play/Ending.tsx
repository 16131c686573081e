import { useEffect, useRef } from "preact/hooks";
import type { Play } from "../api/types";
import { href } from "../router";
import { PlainText } from "../parts/TextBlock";

/** How the game ended, and the way to look at it again. */
export function Ending({ play }: { play: Play }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div class="ending" ref={box} tabIndex={-1} role="status">
      <h2>
        <PlainText text={play.headline} limit={400} />
      </h2>
      <p class="ending-links">
        <a class="button primary" href={href(["run", play.run, "match", play.match])}>
          Replay it
        </a>
        <a class="button" href={href(["play"], { game: play.game })}>
          Another game
        </a>
      </p>
    </div>
  );
}
