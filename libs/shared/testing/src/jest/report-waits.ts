// Reports once what a suite waits for when a test or hook runs into its time limit.
import { channel } from 'node:diagnostics_channel';
import { writeSync } from 'node:fs';
import type { Circus } from '@jest/types';
import pg from 'pg';
import { serverUrlVariable } from '../postgres-server.ts';
import { hangChannel } from './hang-channel.ts';

/** Only hangs last as long as the limit of a suite. */
export async function reportWaits(event: Circus.AsyncEvent | Circus.SyncEvent, file: string): Promise<void> {
  if (event.name !== 'hook_failure' && event.name !== 'test_fn_failure') return;
  if (!String((event.error as Error)?.message ?? event.error).includes('Exceeded timeout')) return;
  const title = event.name === 'hook_failure' ? `its ${event.hook.type}` : `"${event.test.name}"`;
  const statements = await runningStatements().catch((error: unknown) => [
    `the database does not respond: ${String(error)}`,
  ]);
  const lines = [
    `${file}, ${title} did not end in time. The process waits for: ${countOf(process.getActiveResourcesInfo())}`,
    'Statements that run for longer than 5 s on the test server:',
    ...(statements.length > 0 ? statements : ['none']),
  ];
  writeSync(2, `\n${lines.join('\n    ')}\n`);
  channel(hangChannel).publish(title);
}

function countOf(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${count} ${name}`).join(', ');
}

const runningSql = `
  SELECT format('%s %s, %s s, %s (%s %s): %s', pid, application_name, round(extract(epoch FROM now() - query_start)),
                state, wait_event_type, wait_event, left(regexp_replace(query, '\\s+', ' ', 'g'), 200)) AS line
  FROM pg_stat_activity
  WHERE state <> 'idle' AND query_start < now() - interval '5 s' AND pid <> pg_backend_pid()
  ORDER BY query_start LIMIT 40`;

async function runningStatements(): Promise<string[]> {
  const connectionString = process.env[serverUrlVariable];
  if (!connectionString) return ['there is no test server'];
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000, query_timeout: 5_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<{ line: string }>(runningSql)).rows.map(({ line }) => line);
  } finally {
    client.end().catch(() => {});
  }
}
