// The run that is looked at: asked for once, for its head and every screen of it.
import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import { api } from "./api/routes";
import type { RunDetail } from "./api/types";
import { useResource, type Asked } from "./api/useResource";

// Seconds between looks at a run that is at play, and at one that somebody might take up again.
const SOON = 4;
const LATER = 20;

const NOTHING: Asked<RunDetail> = { data: undefined, problem: undefined, stale: false, reload: () => undefined };

export const RunContext = createContext<Asked<RunDetail>>(NOTHING);

/** Follows a run; for the frame of the page alone. */
export function useRun(run: string | undefined): Asked<RunDetail> {
  const [playing, setPlaying] = useState(false);
  const asked = useResource(run === undefined ? null : api.run(run), playing ? SOON : LATER);
  const now = asked.data?.entry.playing ?? false;
  useEffect(() => setPlaying(now), [now]);
  return run === undefined ? NOTHING : asked;
}

/** The run of this screen. */
export function useRunDetail(): Asked<RunDetail> {
  return useContext(RunContext);
}
