import { createUsageRounds, measureStorage } from '@eas/analytics';
import type { Database } from '@eas/db';
import { type Loop, type ProcessParts, startLoop } from '@eas/runtime';

const roundMs = 60_000;
const storageMs = 3_600_000;

/** Measures what tenants use: some tenants each minute, and once a day how many bytes they take up. */
export function startMeasuringUsage(database: Database, { logger }: Pick<ProcessParts<unknown>, 'logger'>): Loop[] {
  const rounds = createUsageRounds(database);
  return [
    startLoop({ name: 'usage', everyMs: roundMs, run: (signal) => rounds.run(signal), logger }),
    startLoop({ name: 'storage', everyMs: storageMs, run: (signal) => measureStorage(database, signal), logger }),
  ];
}
