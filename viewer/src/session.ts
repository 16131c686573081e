import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Session } from "./api/types";

export const SessionContext = createContext<Session | undefined>(undefined);

/** What this page can do; undefined until the server has said it. */
export function useSession(): Session | undefined {
  return useContext(SessionContext);
}
