import type { DraftAnswer, Estimated } from "../api/types";
import { count, tokens } from "../format";
import { Folded } from "../parts/Folded";
import { PlainText, TextBlock } from "../parts/TextBlock";

function range(pair: unknown): string {
  if (!Array.isArray(pair)) return "–";
  const [low, high] = pair as number[];
  return low === high ? tokens(Math.round(low ?? 0)) : `${tokens(Math.round(low ?? 0))} to ${tokens(Math.round(high ?? 0))}`;
}

/** What a run would take, and the file that the command line runs just the same. */
export function EstimatePanel({ answer, stale }: { answer: DraftAnswer | undefined; stale: boolean }) {
  const estimate = answer?.estimate;
  return (
    <div class={stale ? "stale" : undefined} aria-busy={stale}>
      {estimate ? <Estimate estimate={estimate} /> : null}
      {answer?.toml ? (
        <Folded open summary="The same as a file, for ludometer run">
          {() => <TextBlock text={answer.toml} label="Configuration" class="toml" />}
        </Folded>
      ) : null}
    </div>
  );
}

function Estimate({ estimate }: { estimate: Estimated }) {
  return (
    <>
      <p class="estimate-matches">
        <strong class="num">{count(estimate.matches)}</strong> {estimate.matches === 1 ? "match" : "matches"}
        {estimate.model_matches ? (
          <span class="muted num">, {count(estimate.model_matches)} of them with language models</span>
        ) : (
          <span class="muted">, no language model, no cost</span>
        )}
      </p>
      {estimate.models.length ? (
        <div class="estimate-table">
          <table>
            <thead>
              <tr>
                <th scope="col">calls</th>
                <th scope="col">tokens in</th>
                <th scope="col">out</th>
                <th scope="col">US$</th>
              </tr>
            </thead>
            {estimate.models.map((model) => (
              <tbody key={String(model["name"])}>
                <tr>
                  <th scope="rowgroup" colSpan={4}>
                    <PlainText text={String(model["name"])} />
                  </th>
                </tr>
                <tr>
                  <td class="num">{range(model["calls"])}</td>
                  <td class="num">{range(model["input_tokens"])}</td>
                  <td class="num">{range(model["output_tokens"])}</td>
                  <td class="num">{String(model["cost_text"] ?? "–")}</td>
                </tr>
              </tbody>
            ))}
          </table>
        </div>
      ) : null}
      {estimate.notes.map((note) => (
        <p class="muted small" key={note}>
          <PlainText text={note} limit={500} />
        </p>
      ))}
    </>
  );
}
