const dayMs = 86_400_000;
/** Events are stored that long. */
const keptDays = 90;

/** Events of an earlier time may be gone. */
export const keptSince = (now: Date): Date => new Date(now.getTime() - keptDays * dayMs);
