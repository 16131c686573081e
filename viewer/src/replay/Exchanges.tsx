import { useEffect, useState } from "preact/hooks";
import { api } from "../api/routes";
import { useResource } from "../api/useResource";
import type { AttemptShape, ExchangeShape, MessageShape } from "../api/types";
import { dollars, plural, seconds, tokens } from "../format";
import { Folded } from "../parts/Folded";
import { Await } from "../parts/States";
import { PlainText, TextBlock } from "../parts/TextBlock";

interface Props {
  run: string;
  match: string;
  step: number;
  attempt: AttemptShape;
}

const PAUSE = 180; // moves that are only passed by on the way are not asked for

/** The calls to a model that made an attempt: the exact messages and what came back. */
export function Exchanges({ run, match, step, attempt }: Props) {
  const wanted = `${match}/${step}/${attempt.seat}/${attempt.attempt}`;
  const [settled, setSettled] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setSettled(wanted), PAUSE);
    return () => clearTimeout(timer);
  }, [wanted]);
  const asked = useResource(settled === wanted ? api.calls(run, match, step, attempt.seat, attempt.attempt) : null);
  return (
    <section class="exchanges">
      <h4>{plural(attempt.calls, "call")} to the model</h4>
      <Await asked={asked} what="Loading the messages">
        {(list) => list.map((exchange) => <Exchange key={exchange.n} exchange={exchange} alone={list.length === 1} />)}
      </Await>
    </section>
  );
}

function Exchange({ exchange, alone }: { exchange: ExchangeShape; alone: boolean }) {
  const out = exchange.output_tokens === null ? "" : ` · ${tokens(exchange.output_tokens)} tokens out`;
  return (
    <Folded
      open={alone}
      summary={
        <>
          {alone ? "Messages and answer" : `Call ${exchange.n}`}
          <span class="muted num">
            {exchange.model ? ` · ${exchange.model}` : ""} · {seconds(exchange.latency)}
            {out}
          </span>
        </>
      }
    >
      {() => <ExchangeBody exchange={exchange} />}
    </Folded>
  );
}

function ExchangeBody({ exchange }: { exchange: ExchangeShape }) {
  const parts: [string, string | null][] = [
    ["Reasoning", exchange.reasoning],
    ["Answer", exchange.answer],
    ["Tool call", exchange.tool_arguments],
    ["Refusal", exchange.refusal],
  ];
  return (
    <div class="exchange">
      {exchange.messages.map((message, i) => (
        <Message key={i} message={message} />
      ))}
      {parts.map(([name, text]) =>
        text ? (
          <div key={name} class="message message-answer">
            <h5>{name}</h5>
            <TextBlock text={text} label={name} />
          </div>
        ) : null,
      )}
      <p class="muted small num">
        finished: <PlainText text={exchange.finish_reason || "not told"} /> · {tokens(exchange.input_tokens)} in
        {exchange.cached_input_tokens ? ` (${tokens(exchange.cached_input_tokens)} cached)` : ""} ·{" "}
        {tokens(exchange.output_tokens)} out
        {exchange.reasoning_tokens ? ` (${tokens(exchange.reasoning_tokens)} reasoning)` : ""} · {dollars(exchange.cost)}
      </p>
      {exchange.failures.length ? (
        <div class="note">
          {exchange.failures.map((failure, i) => (
            <p key={i}>
              <PlainText text={failure} limit={600} />
            </p>
          ))}
        </div>
      ) : null}
      {exchange.output_schema ? (
        <Folded summary="The schema that was asked for">
          {() => <TextBlock text={JSON.stringify(exchange.output_schema, null, 2)} label="Schema" />}
        </Folded>
      ) : null}
      {exchange.raw ? (
        <Folded summary="The provider's answer as it came">{() => <TextBlock text={exchange.raw ?? ""} label="Raw" />}</Folded>
      ) : null}
    </div>
  );
}

function Message({ message }: { message: MessageShape }) {
  return (
    <div class={`message message-${message.role === "system" || message.role === "assistant" ? message.role : "user"}`}>
      <h5>{message.role}</h5>
      {message.text ? <TextBlock text={message.text} label={`${message.role} message`} /> : null}
      {message.images
        .filter((image) => image.startsWith("data:image/png"))
        .map((image, i) => (
          <img key={i} src={image} alt="Picture that was sent with the message" />
        ))}
    </div>
  );
}
