import { setPriority } from 'node:os';
import { doAsChild } from '../harness/child-task.ts';
import { driveConnection } from '../harness/http-connection.ts';

/** POSTs that create an event each: a task with a description of that many bytes. */
export type PostEvents = {
  url: string;
  apiKey: string;
  bytes: number;
  connections: number;
  count: number;
  /** At the lowest priority: what it takes of the processor is not what is measured. */
  isPatient?: boolean;
};
export type PostedEvents = { seconds: number; statuses: Record<string, number> };

async function run({ url, apiKey, bytes, connections, count, isPatient }: PostEvents): Promise<PostedEvents> {
  if (isPatient) setPriority(19);
  const { hostname, port, host } = new URL(url);
  const statuses: Record<string, number> = {};
  let sent = 0;
  const startedAt = performance.now();
  const body = JSON.stringify({ title: 'Measured', description: 'a'.repeat(bytes) });
  const rest = `host: ${host}\r\nx-api-key: ${apiKey}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  const connection = {
    host: hostname,
    port: Number(port),
    next: () => {
      sent += 1;
      return `POST /v1/tasks HTTP/1.1\r\n${rest}`;
    },
    onResponse: (status: number) => void (statuses[status] = (statuses[status] ?? 0) + 1),
    failed: (error: Error) => void (statuses[error.message] = (statuses[error.message] ?? 0) + 1),
    /** Over once all are sent. */
    get endsAt() {
      return sent < count ? Infinity : 0;
    },
  };
  await Promise.all(Array.from({ length: connections }, () => driveConnection(connection)));
  return { seconds: (performance.now() - startedAt) / 1_000, statuses };
}

doAsChild<PostEvents>(run);
