// Numbers as text. What is not known is an en dash, never a zero.
export const UNKNOWN = "–";

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

type Maybe = number | null | undefined;

const known = (value: Maybe): value is number => value !== null && value !== undefined && Number.isFinite(value);

export function count(value: Maybe): string {
  return known(value) ? whole.format(value) : UNKNOWN;
}

/** With a true minus sign, as wide as the digits. */
export function fixed(value: Maybe, digits: number): string {
  if (!known(value)) return UNKNOWN;
  const text = value.toFixed(digits);
  return Number(text) === 0 ? text.replace("-", "") : text.replace("-", "−");
}

/** A share in [0, 1] as per cent. */
export function percent(value: Maybe, digits = 0): string {
  return known(value) ? `${(100 * value).toFixed(digits)}%` : UNKNOWN;
}

export function dollars(value: Maybe): string {
  if (!known(value)) return UNKNOWN;
  if (value === 0) return "$0";
  if (value < 0.01) return "< $0.01";
  return value < 100 ? `$${value.toFixed(2)}` : `$${whole.format(value)}`;
}

/** A duration. */
export function seconds(value: Maybe): string {
  if (!known(value)) return UNKNOWN;
  if (value < 0.001) return "< 1 ms";
  if (value < 1) return `${(1000 * value).toFixed(0)} ms`;
  if (value < 60) return `${value.toFixed(1)} s`;
  if (value < 3600) return `${Math.floor(value / 60)} min ${Math.floor(value % 60)} s`;
  return `${Math.floor(value / 3600)} h ${Math.floor((value % 3600) / 60)} min`;
}

/** Tokens: 1,234 or 12.3k or 4.56M. */
export function tokens(value: Maybe): string {
  if (!known(value)) return UNKNOWN;
  if (value < 10_000) return whole.format(value);
  return value < 1e6 ? `${(value / 1000).toFixed(1)}k` : `${(value / 1e6).toFixed(2)}M`;
}

/** A point in time, seconds since 1970, in the reader's time zone. */
export function when(at: Maybe): string {
  if (!known(at)) return UNKNOWN;
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" }).format(new Date(at * 1000));
}

/** "2 min ago" and the like. */
export function ago(at: Maybe, now: number = Date.now() / 1000): string {
  if (!known(at)) return UNKNOWN;
  const passed = Math.max(0, now - at);
  if (passed < 60) return "just now";
  if (passed < 3600) return `${Math.floor(passed / 60)} min ago`;
  if (passed < 86_400) return `${Math.floor(passed / 3600)} h ago`;
  const days = Math.floor(passed / 86_400);
  return days === 1 ? "yesterday" : `${days} days ago`;
}

/** "1 match", "2 matches". */
export function plural(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}
