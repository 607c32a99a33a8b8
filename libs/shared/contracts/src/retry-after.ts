/** Longer values are cut to this. */
const longestMs = 86_400_000;

/**
 * Retry-After (RFC 9110, 10.2.3) as ms from `nowMs` on: whole seconds or an HTTP date, from 0 to a day. Undefined: there is
 * none, or none that can be read.
 */
export function readRetryAfter(header: string | string[] | null | undefined, nowMs: number): number | undefined {
  const text = (Array.isArray(header) ? header[0] : header)?.trim() ?? '';
  const isDate = /^[A-Za-z]{3}/.test(text);
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1_000 : isDate ? Date.parse(text) - nowMs : Number.NaN;
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), longestMs);
}
