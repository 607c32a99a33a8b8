// A process that consumes a job of events as a worker does, and that is ended by one of the events: node
// deadly-worker.fixture.ts <options>
import { createContext, openDatabase } from '@eas/db';
import { consumeBatch, createConsumerParts } from './consume-batch.ts';
import { recordEffects } from './consumer.fixture.ts';
import { consumeEvents, type EventHandler } from './handlers.ts';
import { noQueueMetrics } from '../backends/queue-metrics.ts';

type Options = { databaseUrl: string; tenantId: string; eventIds: string[]; isAgain: boolean };

const logger = { error() {}, warn() {}, info() {}, debug() {} };
const secrets = { seal: String, open: String } as never;
const { databaseUrl, tenantId, ...job } = JSON.parse(process.argv[2] ?? '{}') as Options;
const database = await openDatabase({ url: databaseUrl, poolSize: 2, applicationName: 'deadly', logger });
const handle: EventHandler = async (ctx, events) => {
  await recordEffects(ctx, events);
  for (const { type, data } of events)
    if (type === 'inbound.received' && data.inbound_event_id === 'deadly') process.kill(process.pid, 'SIGKILL');
};
const ctx = createContext({ database, secrets, logger }, { tenantId, actor: { id: 'system' } });
await consumeBatch(ctx, consumeEvents('inbound.apply', handle), job, createConsumerParts(noQueueMetrics));
await database.close();
