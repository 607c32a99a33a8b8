// `npm run test:real-agents [agent …] [--only ending]… [--record]`: real coding agents work for the runner, with a model that is played.
// `--record` keeps what they and the runner say to each other in some of the endings, for the tests of the runner.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type OwnSystem, startOwnSystem } from '@eas/testing/own-system';
import { endDescendantsOnSignal } from '@eas/testing/process-tree';
import { installPackages } from '../install-packages.ts';
import { packagesFolder, type TriedAgent, triedAgents } from './agents.ts';
import { type Arena, createArena } from './arena.ts';
import { endings } from './endings.ts';
import { startModelServer } from './model/server.ts';
import { isOffline, runOffline } from './network.ts';
import { recordedEndings, recordEnding } from './recording/record-ending.ts';
import { writeReport } from './report.ts';
import { keepResults, type Result } from './results.ts';
import type { Ending } from './ways.ts';

/** Tasks of one agent that run at the same time. */
const atOnce = 2;

const say = (line: string): void => void process.stdout.write(`[real-agents] ${line}\n`);

async function runEnding(arena: Arena, ending: Ending): Promise<Result> {
  const { agent } = arena;
  const startMs = performance.now();
  const result = (kind: Result['kind'], text: string): Result => {
    const seconds = Math.round((performance.now() - startMs) / 1_000);
    say(`${agent}, ${ending.name}: ${kind}: ${text} (${seconds} s)`);
    return { ending: ending.name, kind, text, seconds };
  };
  const why = ending.not?.[agent];
  if (why !== undefined) return result('skipped', why);
  const run = arena.isRecorded ? recordEnding : ending.run;
  return run(arena, ending).then(
    (text) => result('passed', text),
    (error: Error) => result('failed', error.message),
  );
}

type Chosen = { endings: readonly Ending[]; isRecorded: boolean };

async function runAgent(system: OwnSystem, tried: TriedAgent, chosen: Chosen): Promise<Result[]> {
  const { id: agent } = tried;
  const { isRecorded } = chosen;
  const folder = mkdtempSync(join(tmpdir(), `real-${agent}-`));
  const model = await startModelServer();
  const arena = createArena({ system, folder, agent, model, isRecorded });
  const results: Result[] = [];
  const left = [...chosen.endings];
  const next = async (): Promise<void> => {
    const ending = left.shift();
    if (ending) results.push(await runEnding(arena, ending));
  };
  const worker = async (): Promise<void> => {
    while (left.length > 0) await next();
  };
  try {
    // At its first start an agent makes its folders; two at a time would disturb each other.
    while (left.length > 0 && results.every(({ kind }) => kind === 'skipped')) await next();
    await Promise.all(Array.from({ length: atOnce }, worker));
    const megabytes = arena.mostMegabytes();
    say(`${agent}: a runner had at most ${megabytes} MB`);
    keepResults(tried, { megabytes, results });
    return results;
  } finally {
    await arena.end();
    await model.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { only: { type: 'string', multiple: true }, record: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const agents = triedAgents.filter(({ id }) => positionals.length === 0 || positionals.includes(id));
  const possible = values.record ? endings.filter(({ name }) => recordedEndings.includes(name)) : endings;
  const chosen = possible.filter(({ name }) => !values.only || values.only.includes(name));
  if (agents.length < positionals.length || chosen.length < (values.only?.length ?? 1)) {
    say(
      `Known agents: ${triedAgents.map(({ id }) => id).join(', ')}; endings: ${possible.map(({ name }) => name).join(', ')}.`,
    );
    return 1;
  }
  if (!isOffline()) {
    const what = 'the coding agents from tools/real-agents/package-lock.json (about 1.5 GB; a minute or two)';
    await installPackages({ folder: packagesFolder, what }, say);
    const code = runOffline();
    if (code !== undefined) return code;
    say('THIS MACHINE ALLOWS NO NETWORK NAMESPACE: the agents may reach the internet');
  }
  say('starting a system of its own ...');
  const system = await startOwnSystem(process.env, { BOOTSTRAP_RATE_LIMIT: '1000000', LEASE_SECONDS: '10' });
  endDescendantsOnSignal(() => system.stop());
  try {
    const results: Result[] = [];
    for (const one of agents)
      results.push(...(await runAgent(system, one, { endings: chosen, isRecorded: values.record })));
    await writeReport(endings.map(({ name }) => name));
    const count = (kind: Result['kind']) => results.filter((one) => one.kind === kind).length;
    process.stdout.write(`${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped\n`);
    return count('failed') === 0 ? 0 : 1;
  } finally {
    await system.stop();
  }
}

process.exitCode = await main().catch((error: unknown) => {
  say(error instanceof Error ? error.message : String(error));
  return 1;
});
