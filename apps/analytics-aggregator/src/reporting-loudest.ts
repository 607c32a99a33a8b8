import { claimTime, type Database, type Loudest, readLoudest } from '@eas/db';
import { type Loop, type ProcessParts, startLoop } from '@eas/runtime';

const minuteMs = 60_000;
/** The time that one report is about. */
const windowMs = 10 * minuteMs;
/** By then all processes have recorded what they did. */
const settledMs = 2 * minuteMs;
const shown = 3;
/** A tenant is loud with more than this share of all, if all together are more than this in the time: 10 calls a second. */
const [loudShare, leastWeight] = [0.5, 6_000];

/** A tenant that works alone takes nothing from others. */
export const isLoud = ({ tenants: [first], weight }: Loudest): boolean =>
  first !== undefined && weight >= leastWeight && first.share > loudShare && first.share < 1;

/** Logs the loudest tenants of each ten minutes in which one of them was loud; one process does. */
export function startReportingLoudest(
  { db, clock }: Pick<Database, 'db' | 'clock'>,
  { logger }: Pick<ProcessParts<unknown>, 'logger'>,
): Loop {
  async function run(): Promise<void> {
    const to = new Date(Math.floor((clock.now().getTime() - settledMs) / windowMs) * windowMs);
    const loudest = await readLoudest(db, { from: new Date(to.getTime() - windowMs), to, limit: shown });
    if (!isLoud(loudest) || !(await claimTime(db, 'loudest tenants', to))) return;
    const tenants = loudest.tenants.map(({ name: _, share, ...load }) => ({
      ...load,
      percent: Math.round(share * 100),
    }));
    logger.info({ tenants, minutes: windowMs / minuteMs }, 'one tenant makes most of the load');
  }
  return startLoop({ name: 'loudest tenants', everyMs: windowMs / 2, run, logger });
}
