import { type Relay, startRelay } from '@eas/queue';
import { eventually, silentLogger, type TestDatabase } from '@eas/testing';

/** A relay that numbers events, without a queue behind it. */
export function startTestRelay({ database }: TestDatabase): Relay {
  const queues = { send: async () => {}, depths: async () => ({}), metrics: { eventsRelayed() {} } };
  return startRelay({ database, queues: queues as never, logger: silentLogger });
}

/** Has all events numbered that are committed. */
export async function numberEvents(test: TestDatabase): Promise<void> {
  const relay = startTestRelay(test);
  const unsent = "SELECT FROM outbox WHERE consumer = 'event.number' LIMIT 1";
  await eventually(async () => (await test.database.db.query(unsent)).length === 0);
  await relay.stop();
}
