import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { FuzzTarget } from '@eas/testing/fuzz';
import { isCi } from '@eas/testing/programs';
import { endDescendantsOnSignal } from '@eas/testing/process-tree';
import { startCoverage } from './coverage.ts';
import { fuzzEntryPoints } from './fuzz-entry-points.ts';
import { createRandom } from './mutate.ts';
import { type FuzzResult, runTarget } from './run-target.ts';

const root = resolve(import.meta.dirname, '../..');
/** In CI the same inputs each time, as decision 202 says. */
const seed = process.env['TEST_SEED'] ?? (isCi ? '1' : String(Date.now() % 2 ** 31));
const usage =
  'npm run fuzz -- [--seconds 60] [--seed number] [--only <beginning of a name>]\n--seconds: for each target';

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '60' },
      seed: { type: 'string', default: seed },
      only: { type: 'string', default: '' },
      help: { type: 'boolean', default: false },
    },
  });
  const [seconds, from] = [Number(values.seconds), Number(values.seed)];
  if (values.help || !(seconds > 0) || !Number.isInteger(from)) throw new Error(usage);
  console.log(`seed ${from}, ${seconds} s each`);
  let [passed, failed] = [0, 0];
  const count = (name: string, result: FuzzResult) => {
    say(name, result);
    if (result.finding) failed += 1;
    else passed += 1;
  };
  const coverage = await startCoverage();
  for (const target of await readTargets()) {
    if (!target.name.startsWith(values.only)) continue;
    count(target.name, await runTarget(target, { seconds, random: createRandom(from), coverage }));
  }
  coverage.close();
  for (const [name, result] of await fuzzEntryPoints({ seconds, random: createRandom(from), only: values.only }))
    count(name, result);
  console.log(`${passed} passed, ${failed} failed, 0 skipped`);
  if (failed > 0 || passed === 0) process.exitCode = 1;
}

async function readTargets(): Promise<FuzzTarget[]> {
  const files = globSync('{libs,apps}/**/src/**/*.fuzz.ts', { cwd: root }).sort();
  return Promise.all(files.map(async (file) => ((await import(resolve(root, file))) as { fuzz: FuzzTarget }).fuzz));
}

function say(name: string, { inputs, kept, slowestMs, finding }: FuzzResult): void {
  console.log(`  ${name}: ${inputs} inputs, ${kept} kept, the slowest ${slowestMs.toFixed(1)} ms`);
  if (!finding) return;
  console.log(`  FAILED with ${JSON.stringify(finding.input.toString('latin1').slice(0, 2_000))} (latin1)`);
  console.log(finding.error instanceof Error ? finding.error.stack : finding.error);
}

endDescendantsOnSignal();
await main();
