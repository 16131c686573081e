// Everybody against everybody, and the figures of the run.
import { api } from "../api/routes";
import type { HeadToHead as Shape } from "../api/types";
import { source } from "../api/source";
import { useResource } from "../api/useResource";
import { Figure } from "../parts/Figure";
import { Filters } from "../parts/Filters";
import { Matrix } from "../parts/Matrix";
import { Await, Empty } from "../parts/States";
import { TableFilters, tableQuery } from "../parts/TableFilters";
import { useRunDetail } from "../run";
import type { ScreenProps } from "../routes";

export function HeadToHead({ params, query }: ScreenProps) {
  const run = params.run ?? "";
  const detail = useRunDetail();
  const filters = tableQuery(query);
  const every = detail.data?.entry.playing ? 10 : undefined;
  // Figures take a moment to draw, so that the numbers are asked for without them first. A written page has both.
  const quick = source().live ? { ...filters, figures: "false" } : filters;
  const asked = useResource(api.matrix(run, quick), every);
  const drawn = useResource(asked.data ? api.matrix(run, filters) : null);
  return (
    <>
      <h2 class="unseen">Head to head</h2>
      {detail.data && (
        <Filters title="Filters" active={Object.keys(filters).length}>
          <TableFilters facets={detail.data.facets} query={query} />
        </Filters>
      )}
      <Await asked={asked} what="Counting results">
        {(shape) => <Found run={run} shape={shape} filters={filters} />}
      </Await>
      {asked.data && asked.data.entrants.length > 0 && (
        <Await asked={drawn} what="Drawing figures">
          {(shape) => <Figures shape={shape} />}
        </Await>
      )}
    </>
  );
}

function Found({ run, shape, filters }: { run: string; shape: Shape; filters: Record<string, string> }) {
  const { counting: _, ...kept } = filters;
  return (
    <>
      {shape.entrants.length > 1 ? (
        <Matrix run={run} shape={shape} filters={kept} />
      ) : (
        <Empty title="There is nobody to compare">A matrix needs two entrants who have met.</Empty>
      )}
      {shape.notes.map((note) => (
        <p key={note} class="muted">
          {note}
        </p>
      ))}
    </>
  );
}

function Figures({ shape }: { shape: Shape }) {
  if (shape.figures.length === 0) return null;
  return (
    <section class="run-figures">
      <h2>Figures</h2>
      {shape.figures.map((figure) => (
        <Figure key={figure.title} title={figure.title ?? ""} svg={figure.svg ?? ""} words={figure.words ?? ""} />
      ))}
    </section>
  );
}
