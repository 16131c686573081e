import { useState } from "preact/hooks";
import { api, paths } from "../api/routes";
import { source } from "../api/source";
import { problemOf, useResource } from "../api/useResource";
import type { Catalogue, PlayStarted } from "../api/types";
import { gameOf, optionsOf } from "../newrun/form";
import { Officials } from "../newrun/Officials";
import { OptionFields } from "../newrun/OptionFields";
import { PlayerChoice } from "../newrun/PlayerChoice";
import { Select } from "../parts/Fields";
import { Folded } from "../parts/Folded";
import { Await, Empty } from "../parts/States";
import { PlainText } from "../parts/TextBlock";
import { Links } from "../play/Links";
import { keepLinks, ME, PERSON, queryOf, type Setup, setupOf } from "../play/setup";
import { go, href, setQuery } from "../router";
import type { ScreenProps } from "../routes";
import { useSession } from "../session";

/** Setting up a game with people: choose whom to play, start. */
export function Play({ query }: ScreenProps) {
  const session = useSession();
  const asked = useResource(api.catalogue());
  if (session && !session.can_run) {
    return <Empty title="Games cannot be started from here">`ludometer view` on this machine can start them.</Empty>;
  }
  return (
    <Await asked={asked} what="Loading games and players">
      {(catalogue) => <Table catalogue={catalogue} setup={setupOf(query, catalogue.games)} folder={session?.folder ?? ""} />}
    </Await>
  );
}

const PEOPLE = [
  { spec: ME, title: "me", description: "the person at this screen" },
  { spec: PERSON, title: "another person", description: "gets a link of their own" },
];

function called(spec: string): string {
  if (spec === ME) return "me";
  return spec === PERSON ? "another person" : spec;
}

function Table({ catalogue, setup, folder }: { catalogue: Catalogue; setup: Setup; folder: string }) {
  const game = gameOf(catalogue, setup.game);
  const firstOpen = setup.seats.indexOf("");
  const [active, setActive] = useState(firstOpen < 0 ? 1 : firstOpen);
  const [starting, setStarting] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [started, setStarted] = useState<PlayStarted | null>(null);
  const change = (changes: Partial<Setup>) => {
    setProblem(null);
    setQuery(queryOf({ ...setup, ...changes }));
  };
  const [least, most] = game?.players ?? [2, 2];
  const seatOf = (i: number) => {
    const known = game?.seats[i];
    return { seat: known?.["seat"] ?? String(i + 1), title: known?.["title"] ?? `seat ${i + 1}` };
  };

  const sit = (spec: string) => {
    // There is one me: taking another seat leaves the first one free.
    const seats = setup.seats.map((held, i) => (i === active ? spec : spec === ME && held === ME ? "" : held));
    change({ seats });
    const next = seats.indexOf("");
    if (next >= 0) setActive(next);
  };
  const isPerson = (spec: string) => spec === ME || spec === PERSON;
  const start = () => {
    setStarting(true);
    setProblem(null);
    const people = setup.seats.flatMap((spec, i) => (isPerson(spec) ? [seatOf(i).seat] : []));
    const body = {
      game: setup.game,
      options: setup.options,
      seats: setup.seats.map((spec) => (spec === ME ? PERSON : spec)),
      names: Object.fromEntries(Object.entries(setup.names).filter(([seat]) => people.includes(seat))),
      officials: setup.officials,
    };
    source()
      .post<PlayStarted>(paths.plays, body)
      .then((answer) => {
        const mine = setup.seats.includes(ME) ? seatOf(setup.seats.indexOf(ME)).seat : "";
        const { [mine]: own, ...others } = answer.links;
        keepLinks(answer.id, others);
        if (own !== undefined) go(href(["play", answer.id, own]));
        else setStarted(answer);
      })
      .catch((cause: unknown) => setProblem(problemOf(cause).message))
      .finally(() => setStarting(false));
  };

  if (started) {
    return (
      <div class="table-setup">
        <h1>The table is set</h1>
        <Links id={started.id} links={started.links} titles={(seat) => game?.seats.find((other) => other["seat"] === seat)?.["title"] ?? seat} />
        <p>
          <a href={href(["run", started.run, "match", started.match])}>Watch what is public</a>
        </p>
      </div>
    );
  }
  const ready = setup.seats.every((spec) => spec !== "") && setup.seats.some(isPerson);
  return (
    <div class="table-setup">
      <h1>Play</h1>
      <div class="filters">
        <Select
          label="Game"
          value={setup.game}
          options={catalogue.games.map((g) => [g.name, g.title] as const)}
          onChange={(name) => {
            setActive(1);
            change({ game: name, options: {}, seats: [ME], names: {}, officials: {} });
          }}
        />
      </div>
      {optionsOf(game).length ? (
        <Folded summary={`Options${Object.keys(setup.options).length ? ` · ${Object.keys(setup.options).length} changed` : ""}`}>
          {() => <OptionFields options={optionsOf(game)} values={setup.options} onChange={(options) => change({ options })} />}
        </Folded>
      ) : null}
      <h2>Seats</h2>
      <div class="seats" role="group" aria-label="Seats">
        {setup.seats.map((spec, i) => (
          <div class="seat" key={i}>
            <button type="button" class="seat-button" aria-pressed={i === active} onClick={() => setActive(i)}>
              <span class="muted">{seatOf(i).title}</span>
              <strong>{spec === "" ? "choose below" : called(spec)}</strong>
            </button>
            {isPerson(spec) ? (
              <input
                aria-label={`What ${seatOf(i).title} is called in the record`}
                placeholder="name in the record"
                maxLength={60}
                value={setup.names[seatOf(i).seat] ?? ""}
                onChange={(event) => {
                  const { [seatOf(i).seat]: _, ...rest } = setup.names;
                  const name = event.currentTarget.value.trim();
                  change({ names: name ? { ...rest, [seatOf(i).seat]: name } : rest });
                }}
              />
            ) : null}
            {setup.seats.length > least ? (
              <button
                type="button"
                class="quiet"
                aria-label={`Take the seat of ${seatOf(i).title} away`}
                onClick={() => change({ seats: setup.seats.filter((_, j) => j !== i), names: {} })}
              >
                ×
              </button>
            ) : null}
          </div>
        ))}
        {setup.seats.length < most ? (
          <button type="button" class="quiet" onClick={() => (setActive(setup.seats.length), change({ seats: [...setup.seats, ""] }))}>
            + another seat
          </button>
        ) : null}
        {setup.seats.length === 2 ? (
          <button type="button" class="quiet" onClick={() => change({ seats: [...setup.seats].reverse(), names: {} })}>
            Swap
          </button>
        ) : null}
      </div>
      <PlayerChoice
        players={catalogue.players}
        game={setup.game}
        label={`Who is ${seatOf(active).title}`}
        extra={PEOPLE}
        chosen={setup.seats[active]}
        onPick={sit}
      />
      <Officials
        officials={game?.officials ?? []}
        players={catalogue.players}
        chosen={setup.officials}
        onChange={(officials) => change({ officials })}
      />
      <div class="table-start">
        <button type="button" class="primary start" disabled={!ready || starting} onClick={start}>
          {starting ? "Starting…" : "Start"}
        </button>
        <p class="muted small">
          The game is recorded like any other match, in the folder <PlainText text={folder} />: moves, what is typed as a move,
          and the time taken. What exactly is told again at the table, before the first move.
        </p>
      </div>
      {problem ? (
        <p class="problem-line" role="alert">
          {problem}
        </p>
      ) : null}
    </div>
  );
}
