// A silent connection is still open on both sides, but nothing passes through it, and neither side is notified.
import { eventually, silentLogger, useTestDatabase } from '@eas/testing';
import { queueBackEnd } from '@eas/testing/queue-back-end';
import { useQueues } from '@eas/testing/queues';
import { startSilentProxy } from '@eas/testing/silent-proxy';
import { afterEach, expect, it } from '@jest/globals';
import { openQueues } from './open-queues.ts';

const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => void (await Promise.all(open.splice(0).map((one) => one.close()))));

const testDatabase = useTestDatabase();
const testQueues = useQueues(testDatabase);

const job = {
  job: 'delivery.send' as const,
  payload: { tenant_id: 'tnt_a', endpoint_id: 'whk_a', event_ids: ['evt_1'] },
};
/** "Soon" means within a minute, since the machine may be busy. */
const soonMs = 150_000;

/**
 * Queues with a worker that has processed a job; with `isSilencedAtWork` its connections fell silent during that job.
 */
async function startQueues({ isSilencedAtWork = false } = {}) {
  const { options } = testQueues;
  const proxy = await startSilentProxy(options.redisUrl ?? options.databaseUrl);
  const place = options.redisUrl ? { redisUrl: proxy.url } : { databaseUrl: proxy.url };
  const queues = await openQueues({ ...options, ...place, logger: silentLogger });
  const seen = { worked: 0, silenced: 0, silentAt: Infinity };
  const silence = () => {
    seen.silenced = proxy.silence();
    seen.silentAt = performance.now();
  };
  const run = async () => {
    seen.worked += 1;
    if (isSilencedAtWork && seen.worked === 1) silence();
  };
  const { worker, disconnect } = queues.openWorker('webhooks', run, { concurrency: 2 });
  const close = async () => {
    await disconnect();
    await worker.close(true);
    await queues.close();
    proxy.close();
  };
  open.push({ close });
  await queues.send([job]);
  await eventually(() => seen.worked > 0);
  const workAgain = async () => {
    expect(seen.silenced).toBeGreaterThan(1);
    const isSent = () =>
      queues.send([job]).then(
        () => true,
        () => false,
      );
    await eventually(isSent);
    await eventually(() => seen.worked > 1, seen.silentAt + soonMs - performance.now());
  };
  return { silence, workAgain, worker };
}

it('queues send and process again soon after their connections fell silent while a worker waited', async () => {
  const { silence, workAgain } = await startQueues();
  silence();
  await workAgain();
});

it('queues send and process again soon after their connections fell silent while a worker processed a job', async () => {
  const { workAgain } = await startQueues({ isSilencedAtWork: true });
  await workAgain();
});

it('a worker closes soon although its connections fell silent', async () => {
  const { worker, silence } = await startQueues();
  silence();
  let isClosed = false;
  void worker.close().then(() => (isClosed = true));
  await eventually(() => isClosed, soonMs);
});

const listeningPids = async () =>
  (
    await testDatabase.database.db.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE application_name = 'webhooks' AND datname = current_database()`,
    )
  ).map(({ pid }) => pid);

if (queueBackEnd.kind === 'postgres')
  it('a worker on Postgres listens on a new connection soon after the listening connection fell silent', async () => {
    const { silence } = await startQueues();
    await eventually(async () => (await listeningPids()).length === 1);
    const [before] = await listeningPids();
    silence();
    await eventually(async () => (await listeningPids()).some((pid) => pid !== before), soonMs);
  });
