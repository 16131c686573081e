import type { AttemptShape } from "../api/types";
import { dollars, seconds, tokens } from "../format";
import { PlainText, TextBlock } from "../parts/TextBlock";
import { isBad } from "./moves";

/** What an attempt cost. */
export function Figures({ attempt }: { attempt: AttemptShape }) {
  const rows: [string, string][] = [["time", seconds(attempt.seconds)]];
  if (attempt.calls) rows.push([attempt.calls === 1 ? "call" : "calls", String(attempt.calls)]);
  if (attempt.input_tokens !== null) rows.push(["tokens in", tokens(attempt.input_tokens)]);
  if (attempt.output_tokens !== null) rows.push(["out", tokens(attempt.output_tokens)]);
  if (attempt.reasoning_tokens) rows.push(["reasoning", tokens(attempt.reasoning_tokens)]);
  if (attempt.cost !== null) rows.push(["cost", dollars(attempt.cost)]);
  return (
    <dl class="figures">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class="num">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** How an attempt was judged, in words. */
export function Verdict({ attempt }: { attempt: AttemptShape }) {
  if (attempt.resign) return <p class="verdict verdict-other">Resigned.</p>;
  if (attempt.draw) return <p class="verdict verdict-other">Draw: {attempt.draw}.</p>;
  const bad = isBad(attempt);
  return (
    <p class={`verdict ${bad ? "verdict-bad" : "verdict-good"}`}>
      <strong>{bad ? attempt.status.replace(/_/g, " ") : "legal"}</strong>
      {bad && attempt.kind && attempt.kind !== attempt.status ? <span> · {attempt.kind.replace(/_/g, " ")}</span> : null}
      {attempt.notation !== null ? (
        <>
          {" · read as "}
          <code>
            <PlainText text={attempt.notation} />
          </code>
        </>
      ) : bad ? (
        " · no move could be read"
      ) : null}
      {attempt.reason ? (
        <span class="verdict-reason">
          <PlainText text={attempt.reason} limit={600} />
        </span>
      ) : null}
    </p>
  );
}

/** One attempt: the verdict, the answer as it came, the rationale, the figures. */
export function AttemptView({ attempt }: { attempt: AttemptShape }) {
  const plain = attempt.text === "" && attempt.rationale === "" && !attempt.hidden;
  return (
    <div class="attempt">
      <Verdict attempt={attempt} />
      {attempt.hidden ? <p class="muted">Its texts stay hidden while a person plays this match.</p> : null}
      {attempt.text ? (
        <section>
          <h4>Answer</h4>
          <TextBlock text={attempt.text} label="Answer" />
        </section>
      ) : null}
      {attempt.rationale ? (
        <section>
          <h4>Rationale</h4>
          <TextBlock text={attempt.rationale} label="Rationale" />
        </section>
      ) : null}
      {plain ? <p class="muted">This player gives moves without words.</p> : null}
      <Figures attempt={attempt} />
    </div>
  );
}
