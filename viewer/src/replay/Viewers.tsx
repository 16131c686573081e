import type { MatchDetail } from "../api/types";
import { setQuery } from "../router";
import { seatName } from "./moves";

const FEW = 4; // so many stand side by side on a phone too

/** Through whose eyes the match is seen: the public's, a seat's, or with everything open. */
export function Viewers({ detail, viewer }: { detail: MatchDetail; viewer: string }) {
  const names = detail.viewers.map((name): [string, string] => [
    name,
    name === "full" ? "all" : name === "public" ? "the public" : seatName(detail.entry.seats, name),
  ]);
  if (names.length < 2) return null;
  const short = names.length <= FEW && names.every(([, words]) => words.length <= 12);
  const choose = (name: string) => setQuery({ viewer: name });
  if (!short) {
    return (
      <label class="viewers">
        Seen by
        <select value={viewer} onChange={(event) => choose(event.currentTarget.value)}>
          {names.map(([name, words]) => (
            <option key={name} value={name}>
              {words}
            </option>
          ))}
        </select>
      </label>
    );
  }
  return (
    <div class="viewers">
      <span class="muted" id="viewers">
        Seen by
      </span>
      <div class="switch" role="group" aria-labelledby="viewers">
        {names.map(([name, words]) => (
          <button key={name} type="button" aria-pressed={name === viewer} onClick={() => choose(name)}>
            {words}
          </button>
        ))}
      </div>
    </div>
  );
}
