// What the server says of a form, asked again when it has rested for a moment.

import { useEffect, useState } from "preact/hooks";
import { paths } from "../api/routes";
import { source } from "../api/source";
import type { DraftAnswer } from "../api/types";
import { problemOf } from "../api/useResource";

export interface Drafted {
  answer: DraftAnswer | undefined;
  problem: string | null; // what is wrong with the form, or that the server did not answer
  asking: boolean; // the answer is of an earlier form
}

const REST = 350;

export function useDraft(config: Record<string, unknown> | null): Drafted {
  const key = config ? JSON.stringify(config) : "";
  const [held, setHeld] = useState<{ key: string; answer?: DraftAnswer; problem?: string }>({ key: "" });
  useEffect(() => {
    if (!config) return;
    let wanted = true;
    const timer = setTimeout(() => {
      source()
        .post<DraftAnswer>(paths.draft, { config })
        .then((answer) => wanted && setHeld({ key, answer }))
        .catch((cause: unknown) => wanted && setHeld({ key, problem: problemOf(cause).message }));
    }, REST);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [key]);
  const asking = held.key !== key;
  return { answer: held.answer, problem: asking ? null : (held.answer?.problem ?? held.problem ?? null), asking };
}
