import { createSecretBox } from '@eas/core';
import { openDatabase } from '@eas/db';
import { createReceiver } from '@eas/integrations';
import type { Metrics, ProcessParts, ReadinessChecks } from '@eas/runtime';
import { receiverApp } from './app.ts';
import type { Config } from './config.ts';

export type Container = { checks: ReadinessChecks; app: ReturnType<typeof receiverApp> };

/** Everything this process is made of. Connections end when it shuts down. */
export async function buildContainer(parts: ProcessParts<Config>): Promise<Container> {
  const { name, config, logger, metrics, onShutdown } = parts;
  const { url, directUrl, poolSize } = config.database;
  const database = await openDatabase({ url, directUrl, poolSize, applicationName: name, logger });
  onShutdown('database', () => database.close());
  const secrets = createSecretBox(config.secrets.encryptionKeys);
  const { unsigned, trustProxy } = config.receiver;
  if (unsigned !== 'never')
    logger.info({ from: unsigned }, 'bodies without a signature are taken for the default tenant');
  const receiver = createReceiver({ database, secrets, logger, onReceipt: countReceipts(metrics) });
  const app = receiverApp({ receiver, logger, unsigned, trustProxy, onAnswered: timeAnswers(metrics) });
  return { checks: { database: () => database.ping() }, app };
}

function countReceipts(metrics: Metrics) {
  const receipts = metrics.counter({
    name: 'eas_inbound_receipts_total',
    help: 'Verified bodies from outside, by source and by what became of them',
    labelNames: ['source', 'outcome'],
  });
  return (source: string, outcome: string) => receipts.inc({ source, outcome });
}

function timeAnswers(metrics: Metrics) {
  const seconds = metrics.histogram({
    name: 'eas_http_request_seconds',
    help: 'Time from a request to its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 7],
  });
  return ({
    method,
    route,
    status,
    durationMs,
  }: {
    method: string;
    route: string;
    status: number;
    durationMs: number;
  }) => seconds.observe({ method, route, status }, durationMs / 1_000);
}
