import { useId, useState } from "preact/hooks";
import type { PlayerOption } from "../api/types";

interface Props {
  players: readonly PlayerOption[];
  game: string;
  label: string;
  extra?: readonly { spec: string; title: string; description: string }[]; // above the players: "me", "a person"
  chosen?: string | undefined; // where one is chosen, not several
  onPick: (spec: string) => void;
}

function fits(player: PlayerOption, game: string): boolean {
  return player.games === null || player.games.includes(game);
}

/** Why a player cannot be taken; null where it can. */
function hindrance(player: PlayerOption, game: string): string | null {
  return fits(player, game) ? player.ready : "does not play this game";
}

/** Search and choose: what can play comes first, and one click takes it. A model may be typed in full. */
export function PlayerChoice({ players, game, label, extra = [], chosen, onPick }: Props) {
  const [typed, setTyped] = useState("");
  const id = useId();
  const wanted = typed.trim().toLowerCase();
  const found = players
    .filter((player) => `${player.spec} ${player.title} ${player.description}`.toLowerCase().includes(wanted))
    .map((player) => ({ player, why: hindrance(player, game) }))
    .filter(({ why, player }) => wanted !== "" || why === null || player.kind !== "built-in")
    .sort((a, b) => Number(a.why !== null) - Number(b.why !== null));
  // "openai/gpt-5-mini", "mcts:iterations=500": whatever is no name of the list but may be a player with options.
  const full = /^[\w.-]+([/:].+)$/.test(typed.trim()) && !players.some((player) => player.spec === typed.trim());
  const pick = (spec: string) => {
    if (spec.endsWith("/")) {
      setTyped(spec); // a provider: the name of the model is still to be written
      document.getElementById(id)?.focus();
      return;
    }
    setTyped("");
    onPick(spec);
  };
  const provider = players.find((player) => player.spec.endsWith("/") && typed.trim().startsWith(player.spec));
  return (
    <div class="player-choice">
      <label class="unseen" for={id}>
        {label}
      </label>
      <input
        id={id}
        type="search"
        value={typed}
        autocomplete="off"
        spellcheck={false}
        placeholder="Search, or write provider/model"
        onInput={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          const first = found.find(({ why }) => why === null)?.player.spec;
          if (full) pick(typed.trim());
          else if (wanted !== "" && first) pick(first);
        }}
      />
      <div class="player-list" role="group" aria-label={label}>
        {full ? (
          <button type="button" class="player" onClick={() => pick(typed.trim())}>
            <strong>{typed.trim()}</strong>
            <span class="muted">{provider?.ready ?? "take it as it is written"}</span>
          </button>
        ) : null}
        {wanted === ""
          ? extra.map((other) => (
              <button
                key={other.spec}
                type="button"
                class="player player-person"
                aria-pressed={chosen === undefined ? undefined : chosen === other.spec}
                onClick={() => pick(other.spec)}
              >
                <strong>{other.title}</strong>
                <span class="muted">{other.description}</span>
              </button>
            ))
          : null}
        {found
          .filter(({ player }) => !player.spec.endsWith("/"))
          .map(({ player, why }) => (
            <button
              key={player.spec}
              type="button"
              class="player"
              disabled={why !== null}
              aria-pressed={chosen === undefined ? undefined : chosen === player.spec}
              onClick={() => pick(player.spec)}
            >
              <strong>{player.spec}</strong>
              <span class="muted">{why ?? player.description}</span>
            </button>
          ))}
        {!full && !found.length ? <p class="muted">No player is called so. A model is written provider/model.</p> : null}
      </div>
      <Providers found={found} onPick={pick} />
    </div>
  );
}

interface ProvidersProps {
  found: readonly { player: PlayerOption; why: string | null }[];
  onPick: (spec: string) => void;
}

/** Providers of models: choosing one begins a spec that the model's name completes. */
function Providers({ found, onPick }: ProvidersProps) {
  const providers = found.filter(({ player }) => player.spec.endsWith("/"));
  if (!providers.length) return null;
  return (
    <div class="providers" role="group" aria-label="Models of a provider">
      <span class="muted">A model of</span>
      {providers.map(({ player, why }) => (
        <button
          key={player.spec}
          type="button"
          class={`chip chip-button${why === null ? "" : " chip-missing"}`}
          title={why ?? player.description}
          onClick={() => onPick(player.spec)}
        >
          {player.spec}
          {why === null ? null : <span class="unseen"> ({why})</span>}
        </button>
      ))}
    </div>
  );
}
