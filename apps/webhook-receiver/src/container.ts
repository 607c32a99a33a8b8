import { createTenantLoads, openDatabase, openSecretBox, recordLoads } from '@eas/db';
import { createAccessLog, gatewaySecrets } from '@eas/http';
import { createChatReceiver } from '@eas/chat';
import { createReceiver } from '@eas/receiving';
import {
  accessLogParts,
  countCutBodies,
  type ProcessParts,
  type ReadinessChecks,
  recordEachMinute,
  timeResponses,
  watchPool,
} from '@eas/runtime';
import { receiverApp } from './app.ts';
import type { Config } from './config.ts';
import { countReceipts } from './count-receipts.ts';

export type Container = { checks: ReadinessChecks; app: ReturnType<typeof receiverApp> };

export async function buildContainer(parts: ProcessParts<Config>): Promise<Container> {
  const { name, config, logger, metrics, onShutdown } = parts;
  const { url, directUrl, poolSize } = config.database;
  const database = await openDatabase({ url, directUrl, poolSize, applicationName: name, logger });
  onShutdown('database', () => database.close());
  watchPool(metrics, database.pool);
  const secrets = await openSecretBox({ database, ...config.secrets, logger });
  const { unsigned } = config.receiver;
  if (unsigned !== 'false') logger.info({ from: unsigned }, 'unsigned webhooks are accepted for the default tenant');
  const { onReceipt, onRefusal } = countReceipts(metrics);
  const loads = createTenantLoads();
  recordEachMinute('tenant loads', () => recordLoads(database.db, loads), parts);
  const onSender = (tenantId: string, bytes: number) => loads.add(tenantId, { received: 1, bytes });
  const receiver = createReceiver({ database, secrets, logger, onReceipt, onSender });
  onShutdown('sightings', () => receiver.sightings.close());
  const app = receiverApp({
    receiver,
    chat: createChatReceiver({ database, secrets, logger, receiver, onRefusal }),
    logger,
    accessLog: createAccessLog(accessLogParts(logger, config)),
    unsigned,
    trustProxy: config.proxies.trusted,
    gatewaySecrets: gatewaySecrets(config.secrets.encryptionKeys),
    onResponse: timeResponses(metrics),
    onBodyCut: countCutBodies(metrics),
  });
  return { checks: { database: () => database.ping() }, app };
}
