// `npm run check [step ...]`: everything that can be known without running the system. Equals what CI checks.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';

const root = resolve(import.meta.dirname, '..');
const bin = (name: string): string => resolve(root, 'node_modules', '.bin', name);
const tool = (name: string): string[] => [
  process.execPath,
  '--disable-warning=ExperimentalWarning',
  `tools/${name}.ts`,
];

type Step = { name: string; what: string; command: string[] };

/** The longest come first. */
const STEPS: Step[] = [
  {
    name: 'types',
    what: 'TypeScript',
    command: [bin('tsc'), '-p', 'tsconfig.json', '--incremental', '--tsBuildInfoFile', '.nx/types.tsbuildinfo'],
  },
  {
    name: 'types-dashboard',
    what: 'TypeScript of the dashboard',
    command: [bin('tsc'), '-p', 'apps/admin-dashboard/tsconfig.json'],
  },
  {
    name: 'lint',
    what: 'ESLint and import boundaries',
    // One process for all: `nx run-many -t lint` says the same, but reads every type once per project.
    command: [bin('nx'), 'run', 'tools:workspace-lint', '--outputStyle=static'],
  },
  {
    name: 'canary',
    what: 'every lint rule still fires',
    command: [bin('nx'), 'run', 'tools:canary', '--outputStyle=static'],
  },
  { name: 'imports', what: 'import cycles of files and folders, layers', command: tool('check-imports') },
  { name: 'exports', what: 'every file and every exported name is used', command: [bin('knip'), '--no-config-hints'] },
  { name: 'spelling', what: 'words are spelled right', command: tool('words/check-spelling') },
  { name: 'structure', what: 'tags, names, folder sizes', command: tool('check-structure') },
  { name: 'sizes', what: 'long files and functions, share of comment', command: tool('sizes/check-sizes') },
  { name: 'lock', what: 'package-lock.json has every platform', command: tool('check-lock') },
  { name: 'format', what: 'Prettier', command: [bin('prettier'), '--check', '--cache', '--log-level=warn', '.'] },
  { name: 'words', what: 'plain words in messages, logs and docs', command: tool('words/check-words') },
  {
    name: 'links',
    what: 'links in Markdown lead somewhere',
    command: [
      bin('remark'),
      '.',
      '--ext=md',
      '--ignore-path=.gitignore',
      '--use=remark-validate-links=repository:false',
    ].concat(['--quiet', '--no-stdout', '--frail']),
  },
  { name: 'workflows', what: 'shipped workflows can be run', command: tool('check-workflows') },
  { name: 'generated', what: 'generated files current', command: tool('check-generated') },
  {
    name: 'compatibility',
    what: 'the contract breaks no client of the last release',
    command: tool('compatibility/check-compatibility'),
  },
  { name: 'migrations', what: 'migrations only add, and lock nothing for long', command: tool('check-migrations') },
  { name: 'schema', what: 'migrations make what prisma/schema says', command: tool('check-schema') },
];

/** Prints the output of a step when it ends: output of parallel steps is not mixed. */
async function run({ name, what, command }: Step): Promise<boolean> {
  const startedAt = Date.now();
  const [file = '', ...args] = command;
  const child = spawn(file, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, errors, status] = await Promise.all([text(child.stdout), text(child.stderr), statusOf(child)]);
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  const verdict = status === 0 ? 'ok' : 'FAILED';
  process.stdout.write(`[check] ${name}: ${what}\n${output}${errors}[check] ${name}: ${verdict} in ${seconds} s\n`);
  return status === 0;
}

async function statusOf(child: ChildProcess): Promise<number | string> {
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    return code ?? 'killed';
  } catch (error) {
    process.stdout.write(`${String(error)}\n`);
    return 'not started';
  }
}

/** Runs the steps in parallel, one for each core and at most two: each may need 2 GB. Returns the names of those that failed. */
async function runAll(steps: readonly Step[]): Promise<string[]> {
  const waiting = steps.values();
  const failed: string[] = [];
  const workOff = async () => {
    for (const step of waiting) if (!(await run(step))) failed.push(step.name);
  };
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, workOff));
  return failed;
}

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !STEPS.some((step) => step.name === name));
if (unknown.length > 0) {
  process.stdout.write(`Unknown step ${unknown.join(', ')}; known: ${STEPS.map(({ name }) => name).join(', ')}.\n`);
  process.exit(1);
}
const failed = await runAll(STEPS.filter(({ name }) => asked.length === 0 || asked.includes(name)));
process.stdout.write(failed.length === 0 ? '[check] all ok\n' : `[check] failed: ${failed.join(', ')}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
