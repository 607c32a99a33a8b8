import { type Finding, fail, ok, warn } from './finding.ts';

/** Ids have the time of the process that made them: lists in their order are off by as much. */
const noticedMs = 1_000;
/** Signatures of webhooks are refused by receivers when their time is off by minutes. */
const harmfulMs = 60_000;

/** `askedAt` and `answeredAt` are of this machine, in ms since 1970; `theirs` was read between them. */
export function clockSkew(check: string, theirs: number, askedAt: number, answeredAt: number): Finding {
  const skewMs = Math.round(theirs - (askedAt + answeredAt) / 2);
  const shown = `${Math.abs(skewMs / 1_000).toFixed(1)} s ${skewMs >= 0 ? 'ahead of' : 'behind'} this machine`;
  const advice = 'Synchronise the clocks of all machines (NTP).';
  if (Math.abs(skewMs) >= harmfulMs) return fail(check, `the clock is ${shown}`, advice);
  if (Math.abs(skewMs) >= noticedMs + (answeredAt - askedAt)) return warn(check, `the clock is ${shown}`, advice);
  return ok(check, 'the clocks agree');
}
