import type { OutboxConsumer } from '@eas/contracts';
import type { Database } from '@eas/db';
import { eventually, hangMs } from './eventually.ts';

/**
 * Resolves as soon as no event is pending (for the consumer, if one is named); dead rows do not count. Rejects after
 * `timeoutMs` with the remaining rows.
 */
export async function outboxDrained(
  { db }: Pick<Database, 'db'>,
  { consumer, timeoutMs = hangMs }: { consumer?: OutboxConsumer; timeoutMs?: number } = {},
): Promise<void> {
  let left = '';
  const isDrained = async () => {
    const rows = await db.query<{ consumer: string; count: number }>(
      `SELECT consumer, count(*) AS count FROM outbox
       WHERE dead_at IS NULL AND ($1::text IS NULL OR consumer = $1) GROUP BY consumer`,
      [consumer ?? null],
    );
    left = rows.map((row) => `${row.consumer} ${row.count}`).join(', ');
    return rows.length === 0;
  };
  await eventually(isDrained, timeoutMs).catch(() => {
    throw new Error(`after ${timeoutMs} ms events are still pending: ${left}`);
  });
}
