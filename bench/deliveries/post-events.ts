import { setPriority } from 'node:os';
import { doAsChild } from '../harness/child-task.ts';
import { driveConnection } from '../harness/http-connection.ts';

/** The same POST again and again, which makes an event each time. */
export type PostEvents = {
  url: string;
  headers: Record<string, string>;
  body: string;
  connections: number;
  count: number;
  /** At the lowest priority: what it takes of the processor is not what is measured. */
  isPatient?: boolean;
};
export type PostedEvents = { seconds: number; statuses: Record<string, number> };

async function run({ url, headers, body, connections, count, isPatient }: PostEvents): Promise<PostedEvents> {
  if (isPatient) setPriority(19);
  const { hostname, port, host, pathname } = new URL(url);
  const statuses: Record<string, number> = {};
  let sent = 0;
  const startedAt = performance.now();
  const lines = Object.entries({ host, ...headers, 'content-length': Buffer.byteLength(body) });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const connection = {
    host: hostname,
    port: Number(port),
    next: () => {
      sent += 1;
      return `POST ${pathname} HTTP/1.1\r\n${head}\r\n${body}`;
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
