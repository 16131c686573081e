// Hash routes. Everything that can be shared is in the URL: the screen in its path, filters and the like in its query.
import { useEffect, useState } from "preact/hooks";
import type { Query } from "./api/source";

export interface Place {
  /** Starts with a slash: "/run/first/matches". */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

/** The place that a hash such as "#/run/first?game=chess" means. */
export function parseHash(hash: string): Place {
  const text = hash.replace(/^#/, "");
  const at = text.indexOf("?");
  const path = (at < 0 ? text : text.slice(0, at)).replace(/\/+$/, "");
  const query: Record<string, string> = {};
  if (at >= 0) for (const [name, value] of new URLSearchParams(text.slice(at + 1))) query[name] = value;
  return { path: path.startsWith("/") ? path : `/${path}`, query };
}

/** A link to a place: segments are encoded, empty values of the query left out. */
export function href(segments: readonly (string | number)[], query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value) search.append(name, value);
  const tail = search.toString();
  return `#/${segments.map((s) => encodeURIComponent(s)).join("/")}${tail ? `?${tail}` : ""}`;
}

/**
 * The parameters of a path under a pattern such as "/run/:run/match/:match/:ply?", or null where it does not fit.
 */
export function matchPath(pattern: string, path: string): Record<string, string> | null {
  const wanted = pattern.split("/").filter(Boolean);
  const given = path.split("/").filter(Boolean);
  if (given.length > wanted.length) return null;
  const params: Record<string, string> = {};
  for (const [i, part] of wanted.entries()) {
    const value = given[i];
    if (!part.startsWith(":")) {
      if (part !== value) return null;
    } else if (value !== undefined) {
      params[part.slice(1).replace(/\?$/, "")] = decoded(value);
    } else if (!part.endsWith("?")) return null;
  }
  return params;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

let here: Place = parseHash(typeof location === "undefined" ? "" : location.hash);
const watchers = new Set<() => void>();

function arrive(place: Place): void {
  here = place;
  for (const watcher of watchers) watcher();
}

/** Goes to a link made by `href`. `replace` keeps the browser's history as it is (filters, plies). */
export function go(link: string, { replace = false } = {}): void {
  arrive(parseHash(link));
  try {
    if (replace) history.replaceState(null, "", link);
    else location.hash = link;
  } catch {
    // Inside some frames (a notebook's) the address cannot be changed; the page works all the same.
  }
}

/** Changes the query of the place where we are; undefined and "" take a name out. */
export function setQuery(changes: Query, { replace = true } = {}): void {
  const { path, query } = here;
  go(href(path.split("/").filter(Boolean).map(decoded), { ...query, ...changes }), { replace });
}

export function place(): Place {
  return here;
}

export function usePlace(): Place {
  const [current, setCurrent] = useState(here);
  useEffect(() => {
    const watcher = () => setCurrent(here);
    watchers.add(watcher);
    watcher();
    return () => void watchers.delete(watcher);
  }, []);
  return current;
}

/** Follows the address and links to places from now on. */
export function startRouter(): void {
  addEventListener("hashchange", () => arrive(parseHash(location.hash)));
  // In a frame made from text a link "#/…" would load the surrounding page, so places are reached by `go`.
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
      return;
    const link = event.target instanceof Element ? event.target.closest("a[href^='#/']") : null;
    const target = link?.getAttribute("href");
    if (!target || link?.hasAttribute("download") || link?.getAttribute("target")) return;
    event.preventDefault();
    go(target);
  });
}
