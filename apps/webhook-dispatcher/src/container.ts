import { openDatabase, openSecretBox } from '@eas/db';
import { createEgress } from '@eas/egress';
import { openQueues } from '@eas/queue';
import type { ProcessParts, ReadinessChecks } from '@eas/runtime';
import { readDeliveryBacklog } from '@eas/webhooks';
import type { Config } from './config.ts';
import { countDeliveries } from './count-deliveries.ts';
import { dispatching, type Dispatching } from './dispatching.ts';

export type Container = Dispatching & { checks: ReadinessChecks };

/** Everything this process is made of. Connections end when it shuts down. */
export async function buildContainer(parts: ProcessParts<Config>): Promise<Container> {
  const { name, config, logger, metrics, onShutdown } = parts;
  const { url, directUrl, poolSize } = config.database;
  const { allowHttp, allowedCidrs, retrySeconds, concurrency } = config.webhooks;
  const database = await openDatabase({ url, directUrl, poolSize, applicationName: name, logger });
  onShutdown('database', () => database.close());
  const queues = await openQueues({ redisUrl: config.redis.url, databaseUrl: directUrl ?? url, logger, metrics });
  onShutdown('queues', () => queues.close());
  const egress = createEgress({ allowHttp, allowedCidrs });
  onShutdown('egress', () => egress.close());
  if (allowHttp || allowedCidrs.length > 0)
    logger.info({ allowHttp, allowedCidrs }, 'deliveries may go over http or to addresses that are not public');
  const secrets = await openSecretBox({ database, ...config.secrets, logger });
  const observer = countDeliveries(metrics, () => database.inTransaction('', readDeliveryBacklog));
  return {
    checks: { database: () => database.ping(), queue: () => queues.ping() },
    ...dispatching({ database, queues, egress, secrets, logger, retrySeconds, concurrency, observer }),
  };
}
