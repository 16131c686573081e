// The written report of a run: its sections, with a table of contents.
import { useEffect, useState } from "preact/hooks";
import { api } from "../api/routes";
import type { ReportPage } from "../api/types";
import { useResource } from "../api/useResource";
import { Folded } from "../parts/Folded";
import { Markup } from "../parts/Markup";
import { Await, Empty } from "../parts/States";
import { TextBlock } from "../parts/TextBlock";
import { setQuery } from "../router";
import { useRunDetail } from "../run";
import type { ScreenProps } from "../routes";

export function Report({ params, query }: ScreenProps) {
  const run = params.run ?? "";
  const detail = useRunDetail();
  const asked = useResource(api.report(run));
  return (
    <>
      <h2 class="unseen">Report</h2>
      <Await asked={asked} what="Writing the report">
        {(page) =>
          page.sections.length ? (
            <Sections page={page} section={query.section} />
          ) : (
            <Empty title="There is nothing to report yet" />
          )
        }
      </Await>
      {detail.data && (
        <Folded summary="Configuration of this run, as resolved">
          {() => <TextBlock text={JSON.stringify(detail.data?.config, null, 2)} label="Configuration" limit={20_000} />}
        </Folded>
      )}
    </>
  );
}

function Sections({ page, section }: { page: ReportPage; section: string | undefined }) {
  const [current, setCurrent] = useState(section ?? page.sections[0]?.id);
  useEffect(() => {
    if (section) document.getElementById(anchor(section))?.scrollIntoView();
  }, [section]);
  useEffect(() => watchSections(page, setCurrent), [page]);
  const open = (id: string) => {
    setQuery({ section: id });
    document.getElementById(anchor(id))?.scrollIntoView();
    setCurrent(id);
  };
  return (
    <div class="report">
      <nav class="contents" aria-label="Sections of the report">
        {page.sections.map(({ id, title }) => (
          <button
            key={id}
            type="button"
            class="quiet"
            aria-current={id === current ? "true" : undefined}
            onClick={() => open(id ?? "")}
          >
            {title}
          </button>
        ))}
      </nav>
      <div class="report-body">
        {page.sections.map(({ id, title, html }) => (
          <section key={id} id={anchor(id ?? "")} data-section={id} aria-label={title}>
            <h2>{title}</h2>
            <Markup html={html ?? ""} style={page.style} follow={open} />
          </section>
        ))}
      </div>
    </div>
  );
}

const anchor = (id: string) => `section-${id}`;

/** Tells which section is at the top of the window. */
function watchSections(page: ReportPage, tell: (id: string) => void): () => void {
  const observer = new IntersectionObserver(
    (entries) => {
      const entered = entries.find((entry) => entry.isIntersecting);
      const id = entered?.target instanceof HTMLElement ? entered.target.dataset.section : undefined;
      if (id) tell(id);
    },
    { rootMargin: "-10% 0px -80% 0px" },
  );
  for (const { id } of page.sections) {
    const section = document.getElementById(anchor(id ?? ""));
    if (section) observer.observe(section);
  }
  return () => observer.disconnect();
}
