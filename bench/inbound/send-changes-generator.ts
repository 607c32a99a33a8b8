import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { doAsChild } from '../harness/child-task.ts';
import { type Connection, openConnection, type Reply } from '../harness/open-connection.ts';
import { taskUpdated } from './platform-integration.ts';
import type { SendChanges, SentChanges } from './send-changes.ts';

async function run(changes: SendChanges): Promise<SentChanges> {
  const { url, count, connections, everyMs = 0 } = changes;
  const result: SentChanges = { seconds: 0, sent: [], statuses: {}, unnamed: 0 };
  const startedAt = performance.now();
  let next = 0;
  async function work(): Promise<void> {
    const line: Line = { url, connection: undefined };
    while (next < count) {
      const number = next++;
      const waitMs = startedAt + number * everyMs - performance.now();
      if (waitMs > 0) await sleep(waitMs);
      await send(line, changes, number, result);
    }
    line.connection?.close();
  }
  await Promise.all(Array.from({ length: connections }, work));
  return { ...result, seconds: (performance.now() - startedAt) / 1_000 };
}

/** A connection that is opened again after it broke. */
type Line = { url: string; connection: Connection | undefined };

async function send(line: Line, changes: SendChanges, number: number, result: SentChanges): Promise<void> {
  const { integration, run, at, retryMs } = changes;
  const taskId = `${run}-${number}`;
  const body = taskUpdated(integration, { id: `${taskId}-${at}`, taskId, date: at });
  const signature = createHmac('sha256', integration.secret).update(JSON.stringify(body)).digest('hex');
  for (;;) {
    line.connection ??= openConnection(line.url);
    const sentAt = performance.now();
    const sending = line.connection.send('POST', '/webhook/taskplatform', { 'x-signature': signature }, body);
    const reply = await sending.catch((error: Error) => error);
    record(reply, { taskId, sentAt }, result);
    if (reply instanceof Error) line.connection = undefined;
    else if (reply.status !== 503) return;
    if (retryMs === undefined) return;
    await sleep(retryMs);
  }
}

const unixAt = (at: number) => performance.timeOrigin + at;

function record(reply: Reply | Error, { taskId, sentAt }: { taskId: string; sentAt: number }, result: SentChanges) {
  const key = reply instanceof Error ? reply.message : reply.status;
  result.statuses[key] = (result.statuses[key] ?? 0) + 1;
  if (reply instanceof Error) return;
  if (reply.status === 503 && !/\r\nretry-after: \d+/i.test(reply.head)) result.unnamed += 1;
  if (reply.status === 200)
    result.sent.push({ taskId, sentAt: unixAt(sentAt), acceptedAt: unixAt(reply.at), tookMs: reply.tookMs });
}

doAsChild<SendChanges>(run);
