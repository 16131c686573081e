// The frame of every screen: navigation, the run that is looked at, help.
import { useEffect, useState } from "preact/hooks";
import { api } from "./api/routes";
import { useResource } from "./api/useResource";
import { Frame } from "./parts/Frame";
import { Help } from "./parts/Help";
import { Empty } from "./parts/States";
import { matchPath, usePlace } from "./router";
import { routes } from "./routes";
import { RunContext, useRun } from "./run";
import { SessionContext } from "./session";
import { useShortcuts } from "./shortcuts";

export function App() {
  const { path, query } = usePlace();
  const { data: session } = useResource(api.session());
  const [help, setHelp] = useState(false);
  useShortcuts("Everywhere", [{ keys: ["?"], words: "Show or hide this list", run: () => setHelp((on) => !on) }]);

  // With one run there is no list to begin with.
  const start = path === "/" && session?.run ? `/run/${encodeURIComponent(session.run)}` : path;
  const found = screenOf(start);
  const run = useRun(found?.params.run);
  useEffect(() => {
    document.title = [found?.route.title, found?.params.run, "Ludometer"].filter(Boolean).join(" · ");
  }, [start]);
  // Another screen or match begins at the top; another move of the same match leaves the page where it is.
  useEffect(() => scrollTo(0, 0), [found?.route.pattern, found?.params.run, found?.params.match]);

  return (
    <SessionContext.Provider value={session}>
      <RunContext.Provider value={run}>
        <Frame run={found?.params.run} tab={found?.route.tab} path={start} onHelp={() => setHelp(true)}>
          {found ? (
            <found.route.screen key={found.params.run} params={found.params} query={query} />
          ) : (
            <Empty title="There is no such page" top>
              <a href="#/">All runs</a>
            </Empty>
          )}
        </Frame>
      </RunContext.Provider>
      {help && <Help close={() => setHelp(false)} />}
    </SessionContext.Provider>
  );
}

function screenOf(path: string) {
  for (const route of routes) {
    const params = matchPath(route.pattern, path);
    if (params) return { route, params };
  }
  return null;
}
