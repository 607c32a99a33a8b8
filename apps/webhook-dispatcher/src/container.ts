import { createTenantLoads, recordLoads } from '@eas/db';
import { createEgress } from '@eas/egress';
import { openWorkerProcess } from '@eas/queue';
import { type ProcessParts, type ReadinessChecks, recordEachMinute } from '@eas/runtime';
import { readDeliveryBacklog } from '@eas/webhooks';
import type { Config } from './config.ts';
import { chatting } from './chatting.ts';
import { countDeliveries } from './count-deliveries.ts';
import { countPosts } from './count-posts.ts';
import { dispatching, type Dispatching } from './dispatching.ts';

export type Container = Dispatching & ReturnType<typeof chatting> & { checks: ReadinessChecks };

export async function buildContainer(parts: ProcessParts<Config>): Promise<Container> {
  const { config, logger, metrics, onShutdown } = parts;
  const { allowHttp, allowedCidrs, deniedPorts, retrySeconds, concurrency } = config.webhooks;
  const { database, queues, makeContext, checks, idleWatch } = await openWorkerProcess(parts);
  const egress = createEgress({ allowHttp, allowedCidrs, deniedPorts });
  onShutdown('egress', () => egress.close());
  if (allowHttp || allowedCidrs.length > 0)
    logger.info({ allowHttp, allowedCidrs }, 'deliveries to http or private addresses are allowed');
  const loads = createTenantLoads();
  recordEachMinute('tenant loads', () => recordLoads(database.db, loads), parts);
  const observer = countDeliveries(metrics, () => database.inTransaction('', readDeliveryBacklog), loads);
  const posting = { send: egress.send, ...config.chat };
  return {
    checks,
    ...chatting({
      database,
      makeContext,
      posting,
      onAttempt: countPosts(metrics),
      logger,
      keptDays: config.retention.deliveryDays,
      idleWatch,
    }),
    ...dispatching({ database, queues, egress, makeContext, logger, retrySeconds, concurrency, observer, idleWatch }),
  };
}
