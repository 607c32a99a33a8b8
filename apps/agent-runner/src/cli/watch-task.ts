import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { CliError, exitCodes } from './cli-error.ts';
import { type Entry, lineOf } from './entry-line.ts';
import type { Output } from './output.ts';
import { type Client, pathOf } from './client.ts';

const finals = ['completed', 'failed', 'cancelled'];
const retryMs = 1_000;
/** Connections in a row that bring nothing. */
const maxFailures = 30;

const entryShape = z.looseObject({ type: z.string(), timestamp: z.string() });
const task = z.looseObject({ status: z.string() });

/** Shows what happens to a task until it has ended. Gives its last status. */
export async function watchTask(client: Client, id: string, output: Output): Promise<string> {
  const path = pathOf('tasks', id);
  const status = async () => (await client.get(path, task)).status;
  await status();
  let lastId: string | undefined;
  for (let failures = 0; ; failures += 1) {
    try {
      for await (const event of client.events(`${path}/events`, lastId)) {
        [lastId, failures] = [event.id ?? lastId, 0];
        const read = entryShape.safeParse(JSON.parse(event.data));
        if (!read.success) continue;
        const entry = read.data as Entry;
        output.showLine(entry, lineOf);
        if (entry.type !== 'status_change' || !finals.includes(String(entry['to']))) continue;
        // It may have been tried again since.
        const now = await status();
        if (finals.includes(now)) return now;
      }
    } catch (error) {
      if (error instanceof CliError) throw error;
      if (failures >= maxFailures) throw new CliError(`${client.url}: the stream broke off.`, exitCodes.unreachable);
    }
    await sleep(retryMs);
  }
}
