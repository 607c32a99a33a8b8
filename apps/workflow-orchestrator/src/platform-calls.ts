import type { Database, UseCaseContext } from '@eas/db';
import { createEgress, type Egress, egressDeadlineMs } from '@eas/egress';
import { countWaiting, createSender, type OnAttempt } from '@eas/outbound';
import { callKind, mostPlatformCalls, platformCalls } from '@eas/platform-calls';
import { createPlatformApi } from '@eas/task-platform';
import { createCallTargets } from '@eas/task-sync';
import { createSourceHostApi } from '@eas/source-host';
import { type IdleWatch, type Loop, type Metrics, type ProcessParts, startLoop } from '@eas/runtime';
import type { Config } from './config.ts';

const sweepMs = 250;
const maxBytes = 1_048_576;

/** The loop that makes calls to the API of task platforms and source hosts. */
export function startPlatformCalls(
  database: Database,
  contextOf: (tenantId: string) => UseCaseContext,
  { config, logger, metrics, onShutdown }: ProcessParts<Config>,
  idleWatch?: IdleWatch,
): Loop {
  const { apiUrl, sourceHostApiUrl, allowedCidrs } = config.platform;
  const [platform, sourceHost] = [egressTo(apiUrl, allowedCidrs), egressTo(sourceHostApiUrl, allowedCidrs)];
  const openPlatform = createPlatformApi({ send: platform.send, baseUrl: apiUrl });
  const openSourceHost = createSourceHostApi({ send: sourceHost.send, baseUrl: sourceHostApiUrl });
  const onAttempt = countCalls(metrics, () => countWaiting(database.db, platformCalls));
  const kind = callKind(createCallTargets({ openPlatform, openSourceHost }));
  const calling = createSender(kind, { database, contextOf, logger, onAttempt });
  // After the loop, and before the database goes.
  onShutdown('platform calls', async () => {
    await Promise.all([platform.close(), sourceHost.close()]);
    await calling.drain();
  });
  const pause = idleWatch && { watch: idleWatch, nextDueAt: calling.nextDueAt };
  return startLoop({ name: 'platform calls', everyMs: sweepMs, logger, run: () => calling.sweep(), pause });
}

const egressTo = (apiUrl: string, allowedCidrs: Config['platform']['allowedCidrs']): Egress =>
  createEgress({
    allowHttp: apiUrl.startsWith('http:'),
    allowedCidrs,
    maxResponseBytes: maxBytes,
    // It is one origin: calls that hang keep their connections.
    maxConnectionsPerOrigin: mostPlatformCalls(egressDeadlineMs),
  });

function countCalls(metrics: Metrics, waiting: () => Promise<number>): OnAttempt<{ kind: string }> {
  const calls = metrics.counter('eas_platform_calls_total');
  metrics.gauge('eas_platform_calls_waiting', async (gauge) => gauge.set(await waiting()));
  return ({ message: { kind }, outcome }) => calls.inc({ kind, outcome });
}
