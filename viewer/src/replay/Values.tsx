import { useState } from "preact/hooks";
import type { MoveValue } from "../api/types";
import { fixed } from "../format";
import { PlainText } from "../parts/TextBlock";

const SHOWN = 8;

/** What the evaluator says of the possible moves, the best first. */
export function Values({ value }: { value: MoveValue }) {
  const [whole, setWhole] = useState(false);
  const all = Object.entries(value.values).sort((a, b) => b[1] - a[1]);
  const rows = whole ? all : all.slice(0, SHOWN);
  if (!whole && all.some(([action]) => action === value.action) && !rows.some(([action]) => action === value.action)) {
    rows.push([value.action, value.value]);
  }
  return (
    <section class="values">
      <h4>
        Evaluation <span class="muted">by {value.evaluator}{value.exact ? ", exact" : ""}</span>
      </h4>
      <p>
        {value.regret < 0.0005 ? "A best move" : <>Gave away <strong class="num">{fixed(value.regret, 3)}</strong> of the score</>}
        {value.error !== null && value.error > 0 ? <span class="muted num"> ± {fixed(value.error, 3)}</span> : null}
        <span class="muted num">
          {" "}
          · rank {value.rank} of {value.actions}
        </span>
        {value.regret >= 0.0005 ? (
          <>
            {" · best: "}
            {value.best_actions.slice(0, 4).map((action, i) => (
              <>
                {i ? ", " : ""}
                <code>
                  <PlainText text={action} />
                </code>
              </>
            ))}
            {value.best_actions.length > 4 ? ` and ${value.best_actions.length - 4} more` : ""}
          </>
        ) : null}
      </p>
      {rows.length > 1 ? (
        <table class="value-table">
          <caption class="unseen">Expected score of each move</caption>
          <tbody>
            {rows.map(([action, score]) => (
              <tr key={action} class={action === value.action ? "value-made" : undefined}>
                <th scope="row">
                  <PlainText text={action} limit={60} />
                  {action === value.action ? <span class="muted"> made</span> : null}
                </th>
                <td class="value-bar">
                  <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
                    <rect width="100" height="8" />
                    <rect width={100 * Math.max(0, Math.min(1, score))} height="8" />
                  </svg>
                </td>
                <td class="num">{fixed(score, 3)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
      {all.length > SHOWN ? (
        <button type="button" class="quiet" onClick={() => setWhole(!whole)}>
          {whole ? "Fewer" : `All ${all.length}`}
        </button>
      ) : null}
    </section>
  );
}
