import { useEffect, useRef } from "preact/hooks";
import type { Play } from "../api/types";
import { href } from "../router";
import { PlainText } from "../parts/TextBlock";
import { useSession } from "../session";

/** How the game ended, and the way to look at it again. */
export function Ending({ play }: { play: Play }) {
  // Whoever has nothing but the link of a seat may see nothing but the game.
  const session = useSession();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <div class="ending" ref={box} tabIndex={-1} role="status">
      <h2>
        <PlainText text={play.headline} limit={400} />
      </h2>
      {session ? (
        <p class="ending-links">
          <a class="button primary" href={href(["run", play.run, "match", play.match])}>
            Replay it
          </a>
          {session.can_run ? (
            <a class="button" href={href(["play"], { game: play.game })}>
              Another game
            </a>
          ) : null}
        </p>
      ) : (
        <p class="muted">This page stays where it is; whoever sent you the link can replay the game, and start another one.</p>
      )}
    </div>
  );
}
