import type { Database, UseCaseContext } from '@eas/db';
import { createEgress, egressDeadlineMs } from '@eas/egress';
import { countWaitingCalls, createPlatformApi, createPlatformCalling, mostPlatformCalls } from '@eas/integrations';
import { type Loop, type Metrics, type ProcessParts, startLoop } from '@eas/runtime';
import type { Config } from './config.ts';

const sweepMs = 250;
const maxBytes = 1_048_576;

/** The loop that makes calls to the API of task platforms. */
export function startPlatformCalls(
  database: Database,
  contextOf: (tenantId: string) => UseCaseContext,
  { config, logger, metrics, onShutdown }: ProcessParts<Config>,
): Loop {
  const { apiUrl, allowedCidrs } = config.platform;
  const egress = createEgress({
    allowHttp: apiUrl.startsWith('http:'),
    allowedCidrs,
    maxResponseBytes: maxBytes,
    // The platform is one origin: those that hang keep their connections.
    maxConnectionsPerOrigin: mostPlatformCalls(egressDeadlineMs),
  });
  const openPlatform = createPlatformApi({ send: egress.send, baseUrl: apiUrl });
  const onCall = countCalls(metrics, () => countWaitingCalls(database.db));
  const calling = createPlatformCalling({ database, contextOf, openPlatform, logger, onCall });
  // After the loop, and before the database goes.
  onShutdown('platform calls', async () => {
    await egress.close();
    await calling.drain();
  });
  return startLoop({ name: 'platform calls', everyMs: sweepMs, logger, run: () => calling.sweep() });
}

function countCalls(metrics: Metrics, waiting: () => Promise<number>) {
  const calls = metrics.counter('eas_platform_calls_total');
  metrics.gauge('eas_platform_calls_waiting', async (gauge) => gauge.set(await waiting()));
  return ({ kind, outcome }: { kind: string; outcome: string }) => calls.inc({ kind, outcome });
}
