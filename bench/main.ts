import { readdirSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { endDescendantsOnSignal } from '@eas/testing/process-tree';
import { createApps } from './harness/apps.ts';
import type { Scenario } from './harness/bench.ts';
import { readOptions } from './harness/options.ts';
import { say } from './harness/report.ts';
import { type Outcome, runScenario } from './figures/run-scenario.ts';
import { describeRun } from './figures/describe-run.ts';
import { problemsOf } from './figures/judge.ts';
import { saveResults } from './figures/save-results.ts';
import { openStores, type Stores } from './harness/stores.ts';

/** Gives whether all of it succeeded. */
async function main(): Promise<boolean> {
  const options = readOptions(process.argv.slice(2));
  let isStopping = false;
  let cleanUp = () => Promise.resolve();
  endDescendantsOnSignal(() => {
    isStopping = true;
    return cleanUp();
  });
  const scenarios = await readScenarios(options.only);
  const stores = await openStores(options);
  const apps = createApps(stores);
  let cleaning: Promise<void> | undefined;
  cleanUp = () => (cleaning ??= apps.close().then(() => stores.stop()));
  try {
    await saySettings(stores);
    say(`${options.connections} connections, ${options.rounds} rounds of ${options.roundSeconds} s each`);
    const description = options.save ? await describeRun(stores, options) : undefined;
    const run = (scenario: Scenario) => runScenario(scenario, { options, stores, apps });
    const outcomes: Outcome[] = [];
    for (const scenario of scenarios) if (!isStopping) outcomes.push(await run(scenario));
    if (description) return await saveResults(description, outcomes, rerun(scenarios, run));
    const problems = problemsOf(outcomes);
    for (const problem of problems) say(problem);
    return problems.length === 0;
  } finally {
    await cleanUp();
  }
}

const rerun =
  (scenarios: readonly Scenario[], run: (scenario: Scenario) => Promise<Outcome>) =>
  async (name: string): Promise<Outcome> => {
    const scenario = scenarios.find((one) => one.name === name);
    if (!scenario) throw new Error(`no scenario ${name}`);
    say(`\nonce more, as a figure is worse than in the last results`);
    return await run(scenario);
  };

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

// A scenario that broke off may have left a server open, which would keep this process. Others set the exit code themselves.
main().then(
  (isGood) => process.exit(isGood ? (process.exitCode ?? 0) : 1),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
