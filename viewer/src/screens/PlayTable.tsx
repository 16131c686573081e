import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { api, paths } from "../api/routes";
import { source } from "../api/source";
import { problemOf, useResource } from "../api/useResource";
import type { Play, PlayMove } from "../api/types";
import { Board } from "../board/Board";
import { readLegal } from "../board/legal";
import { Folded } from "../parts/Folded";
import { Await } from "../parts/States";
import { TextBlock } from "../parts/TextBlock";
import { Answer } from "../play/Answer";
import { Ending } from "../play/Ending";
import { History } from "../play/History";
import { Links } from "../play/Links";
import { Offers } from "../play/Offers";
import { Recorded } from "../play/Recorded";
import { Seats } from "../play/Seats";
import { keptLinks } from "../play/setup";
import type { ScreenProps } from "../routes";

/** A game that the person with this link plays. */
export function PlayTable({ params }: ScreenProps) {
  const id = params["id"] ?? "";
  const key = params["key"] ?? "";
  const asked = useResource(api.play(id, key));
  return (
    <Await asked={asked} what="Going to the table">
      {(play) => <At key={`${id} ${key}`} id={id} secret={key} first={play} />}
    </Await>
  );
}

function lastOfOthers(play: Play): string {
  const last = play.moves[play.moves.length - 1];
  if (!last || last["seat"] === play.seat) return "";
  const who = play.seats.find((seat) => seat.seat === last["seat"])?.title ?? last["seat"];
  return `${who} played ${(last["notation"] ?? "").slice(0, 160)}.`;
}

function At({ id, secret, first }: { id: string; secret: string; first: Play }) {
  const [play, setPlay] = useState(first);
  const [lost, setLost] = useState(false);
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState("");
  const [turned, setTurned] = useState(() => play.board?.["kind"] === "chess" && play.seat === play.seats[1]?.seat);

  const told = useRef(0); // events so far

  useEffect(
    () =>
      source().events(
        paths.playEvents(id),
        {
          on: {
            play: (next: Play) => {
              told.current += 1;
              setPlay(next);
            },
          },
          open: () => setLost(false),
          lost: () => setLost(true),
        },
        { key: secret },
      ),
    [id, secret],
  );

  const send = useCallback(
    (path: string, body: Partial<PlayMove>) => {
      setSending(true);
      setProblem("");
      const before = told.current;
      return source()
        .post<Play>(path, body, { key: secret })
        .then((next) => {
          // The stream may have told what came after this already: the opponent's answer can be quicker than ours.
          if (told.current === before) setPlay(next);
          return next.refused === null;
        })
        .catch((cause: unknown) => {
          setProblem(problemOf(cause).message);
          return false;
        })
        .finally(() => setSending(false));
    },
    [id, secret],
  );
  // An offer goes with the next move, however that is made.
  const [offering, setOffering] = useState(false);
  const answer = (body: Partial<PlayMove>) => {
    const offer = offering && play.can_draw && !body.resign && !body.draw;
    return send(paths.move(id), offer ? { ...body, draw: "offer" } : body).then((taken) => {
      if (taken) setOffering(false);
      return taken;
    });
  };

  // The same moves are the same list, so that a half-made choice is not lost when something else changes.
  const listed = JSON.stringify(play.your_turn && !play.over ? play.legal : null);
  const legal = useMemo(() => readLegal(JSON.parse(listed) as Play["legal"]), [listed]);
  const began = play.moves.some((move) => move["seat"] === play.seat);
  const stands = play.headline.startsWith("The game stands still");
  const titles = (seat: string) => play.seats.find((other) => other.seat === seat)?.title ?? seat;
  const label = `${play.game}, you are ${play.title}. ${play.headline}`;
  return (
    <div class="play">
      <h1 class="unseen">
        {play.game}: you are {play.title}
      </h1>
      <p class="unseen" aria-live="polite" aria-atomic="true">
        {lastOfOthers(play)} {play.headline}
      </p>
      {lost ? (
        <p class="note" role="status">
          The connection was lost. The game is kept; this page connects again by itself.
        </p>
      ) : null}
      <div class="play-columns">
        {began ? null : <Recorded sentences={play.recorded} />}
        <div class={`play-board${play.your_turn && !play.over ? " your-turn" : ""}`}>
          <Seats play={play} />
          <Board
            shown={play}
            label={label}
            turned={turned}
            legal={sending ? null : legal}
            onMove={(action) => void answer({ action })}
          />
          {play.board?.["kind"] === "chess" ? (
            <button type="button" class="quiet" onClick={() => setTurned(!turned)}>
              Turn the board
            </button>
          ) : null}
        </div>
        <div class="play-side">
          {play.over ? (
            <Ending play={play} />
          ) : (
            <>
              <p class={`play-headline${play.your_turn ? " play-yours" : ""}`}>{play.headline}</p>
              {stands ? (
                <button type="button" onClick={() => void send(`/api/play/${encodeURIComponent(id)}/resume`, {})}>
                  Go on
                </button>
              ) : null}
              <Answer play={play} legal={legal} sending={sending} problem={problem || play.refused || ""} onAnswer={answer} />
              <Offers play={play} busy={sending} offering={offering} onOffering={setOffering} onAnswer={answer} />
            </>
          )}
          <History play={play} />
          <Links id={id} links={keptLinks(id)} titles={titles} present={play.people} />
          <Folded summary="Rules">{() => <TextBlock text={play.rules} label="Rules" />}</Folded>
          {began ? <Recorded sentences={play.recorded} folded /> : null}
        </div>
      </div>
    </div>
  );
}
