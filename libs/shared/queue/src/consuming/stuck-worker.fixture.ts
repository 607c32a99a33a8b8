// A process that takes one job and never ends it, to be killed: node stuck-worker.fixture.ts <options>
import { createContext, openDatabase } from '@eas/db';
import { startInboundWorker } from './consumer.fixture.ts';
import { openQueues } from '../backends/open-queues.ts';

const logger = { error() {}, warn() {}, info() {}, debug() {} };
const secrets = { seal: String, open: String } as never;
const options = JSON.parse(process.argv[2] ?? '{}') as { redisUrl?: string; databaseUrl: string; namespace: string };
const database = await openDatabase({ url: options.databaseUrl, poolSize: 2, applicationName: 'stuck', logger });
const queues = await openQueues({ ...options, logger });
const hang = async () => {
  process.stdout.write('in hand\n');
  await new Promise(() => {});
};
await startInboundWorker(queues, hang, {
  makeContext: ({ tenantId, signal }) =>
    createContext({ database, secrets, logger }, { tenantId, actor: { id: 'system' }, signal }),
  concurrency: 1,
  logger,
});
