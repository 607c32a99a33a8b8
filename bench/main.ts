import { readdirSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { createApps } from './harness/apps.ts';
import type { Figure, Recorder, Scenario } from './harness/bench.ts';
import { readOptions } from './harness/options.ts';
import { say } from './harness/report.ts';
import { saveResults } from './figures/save-results.ts';
import { openStores, type Stores } from './harness/stores.ts';

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  const scenarios = await readScenarios(options.only);
  const stores = await openStores(options);
  const apps = createApps(stores);
  const figures: Figure[] = [];
  const cleanUp = async () => {
    await apps.close();
    await stores.stop();
  };
  process.once('SIGINT', () => void cleanUp().finally(() => process.exit(130)));
  process.once('SIGTERM', () => void cleanUp().finally(() => process.exit(143)));
  try {
    await saySettings(stores);
    say(`${options.connections} connections, ${options.rounds} rounds of ${options.roundSeconds} s each`);
    for (const scenario of scenarios) {
      say(`\n${scenario.name}: ${scenario.about}`);
      const record: Recorder = (figure) => {
        const name = figure.name === '' ? scenario.name : `${scenario.name}, ${figure.name}`;
        figures.push({ ...figure, name });
      };
      await scenario.run({ options, stores, apps, record });
    }
    if (options.save && (await saveResults(stores, figures)) > 0) process.exitCode = 1;
  } finally {
    await cleanUp();
  }
}

async function readScenarios(only: string[]): Promise<Scenario[]> {
  const folder = join(import.meta.dirname, 'scenarios');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .sort();
  const modules = await Promise.all(files.map((file) => import(join(folder, file)) as Promise<{ scenario: Scenario }>));
  const all = modules.map(({ scenario }) => scenario);
  const unknown = only.find((name) => !all.some((scenario) => scenario.name === name));
  if (unknown) throw new Error(`no scenario ${unknown}; there are: ${all.map(({ name }) => name).join(', ')}`);
  return only.length === 0 ? all : all.filter(({ name }) => only.includes(name));
}

async function saySettings({ backend, database }: Stores): Promise<void> {
  const names = [
    'server_version',
    'fsync',
    'synchronous_commit',
    'full_page_writes',
    'shared_buffers',
    'max_connections',
  ];
  const rows = await database.db.query<{ name: string; value: string }>(
    'SELECT name, current_setting(name) AS value FROM unnest($1::text[]) AS name',
    [names],
  );
  say(`queues on ${backend}; Postgres ${rows.map(({ name, value }) => `${name}=${value}`).join(' ')}`);
  say(`Node ${process.version}, ${availableParallelism()} cores, ${cpus()[0]?.model ?? 'unknown processor'}`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  // A scenario that broke off may have left a server open, which would keep this process.
  process.exit(1);
});
