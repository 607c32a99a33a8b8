/** The platform allows 100 calls in any minute: these two add up to it. */
const spacingMs = 750;
const burst = 20;
/** Of the burst, what reading leaves to writing. */
const keptForWrites = 10;

export const ranks = { write: 0, read: 1, page: 2 } as const;

/** Moments in Unix milliseconds. `slotAt`: when the calls so far would all have been made at an even pace. */
type Pace = { now: number; slotAt: number };

/** Whether a call of the rank may be made now, and what it leaves; or when to ask again. */
export function paceOf(
  { now, slotAt }: Pace,
  rank: number,
): { mayCall: true; slotAt: number } | { mayCall: false; at: number } {
  const calls = rank === ranks.write ? burst : burst - keptForWrites;
  const earliest = slotAt - (calls - 1) * spacingMs;
  return earliest > now
    ? { mayCall: false, at: earliest }
    : { mayCall: true, slotAt: Math.max(slotAt, now) + spacingMs };
}
