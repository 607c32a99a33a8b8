import { queues } from '@eas/contracts';
import { useTestDatabase } from '@eas/testing';
import { expect, it } from '@jest/globals';
import { preparePostgresQueues } from './postgres-backend.ts';

const test = useTestDatabase();

it('numbers of jobs are not taken in the transaction that creates their sequence, whose log a crash may lose', async () => {
  await preparePostgresQueues(test.url, 'prepared');
  await preparePostgresQueues(test.url, 'prepared');
  const sequences = await test.database.db.query<{ last: number | null }>(
    `SELECT last_value::int AS last FROM pg_sequences WHERE schemaname = 'prepared' AND sequencename LIKE 'bullmq_jid_%'`,
  );
  expect(sequences).toEqual(Object.keys(queues).map(() => ({ last: null })));
  const take = () => test.database.db.query(`SELECT prepared.next_job_id($1) AS id`, [Object.keys(queues)[0]]);
  expect([await take(), await take()]).toEqual([[{ id: '1' }], [{ id: '2' }]]);
});
