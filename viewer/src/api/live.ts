// The server as a source of data.
import { keyOf, Problem, type Listeners, type Query, type Source } from "./source";

const UNREACHABLE = "The server does not answer; is `ludometer view` still running?";

export class LiveSource implements Source {
  readonly live = true;

  get<T>(path: string, query?: Query, signal?: AbortSignal): Promise<T> {
    return ask<T>(keyOf(path, query), { headers: { Accept: "application/json" }, signal: signal ?? null });
  }

  post<T>(path: string, body: unknown, query?: Query): Promise<T> {
    // Other sites cannot send this content type without asking first, and the server insists on it.
    const headers = { "Content-Type": "application/json", Accept: "application/json", "X-Ludometer": "1" };
    return ask<T>(keyOf(path, query), { method: "POST", headers, body: JSON.stringify(body) });
  }

  events(path: string, listeners: Listeners, query?: Query): () => void {
    const stream = new EventSource(keyOf(path, query));
    for (const [name, handler] of Object.entries(listeners.on)) {
      stream.addEventListener(name, (event) => {
        const data = parsed((event as MessageEvent<string>).data);
        if (data !== undefined) (handler as (data: unknown) => void)(data);
      });
    }
    stream.addEventListener("open", () => listeners.open?.());
    stream.addEventListener("error", () => listeners.lost?.()); // the browser connects again by itself
    return () => stream.close();
  }
}

async function ask<T>(url: string, request: RequestInit): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(url, { ...request, credentials: "same-origin" });
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === "AbortError") throw cause;
    throw new Problem(0, UNREACHABLE);
  }
  const body = parsed(await answer.text());
  if (!answer.ok) throw new Problem(answer.status, sentence(body) ?? `The server answered ${answer.status}.`);
  if (body === undefined) throw new Problem(answer.status, "The server's answer could not be read.");
  return body as T;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function sentence(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null || !("detail" in body)) return undefined;
  return typeof body.detail === "string" ? body.detail : undefined;
}
