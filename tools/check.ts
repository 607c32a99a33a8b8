// `npm run check [step ...]`: everything that can be known without running the system. Equals what CI checks.
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const bin = (name: string): string => resolve(root, 'node_modules', '.bin', name);
const tool = (name: string): string[] => [
  process.execPath,
  '--disable-warning=ExperimentalWarning',
  `tools/${name}.ts`,
];

type Step = { name: string; what: string; command: string[] };

const STEPS: Step[] = [
  {
    name: 'types',
    what: 'TypeScript',
    command: [bin('tsc'), '-p', 'tsconfig.json', '--incremental', '--tsBuildInfoFile', '.nx/types.tsbuildinfo'],
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
  { name: 'cycles', what: 'import cycles of files and folders, floors', command: tool('check-cycles') },
  { name: 'structure', what: 'tags, names, folder sizes', command: tool('check-structure') },
  { name: 'lock', what: 'package-lock.json has every platform', command: tool('check-lock') },
  { name: 'format', what: 'Prettier', command: [bin('prettier'), '--check', '--cache', '--log-level=warn', '.'] },
  { name: 'words', what: 'plain words in messages, logs and docs', command: tool('words/check-words') },
  { name: 'links', what: 'links in Markdown lead somewhere', command: tool('check-links') },
  { name: 'workflows', what: 'shipped workflows can be run', command: tool('check-workflows') },
  { name: 'generated', what: 'generated files current', command: tool('check-generated') },
  {
    name: 'compatibility',
    what: 'the contract breaks no client of the last release',
    command: tool('compatibility/check-compatibility'),
  },
  { name: 'schema', what: 'migrations make what prisma/schema says', command: tool('check-schema') },
];

function run({ name, what, command }: Step): boolean {
  process.stdout.write(`[check] ${name}: ${what} ...\n`);
  const startedAt = Date.now();
  const [file = '', ...args] = command;
  const { status, error } = spawnSync(file, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  if (error) process.stdout.write(`${error.message}\n`);
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  process.stdout.write(`[check] ${name}: ${status === 0 ? 'ok' : 'FAILED'} in ${seconds} s\n`);
  return status === 0;
}

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !STEPS.some((step) => step.name === name));
if (unknown.length > 0) {
  process.stdout.write(`Unknown step ${unknown.join(', ')}; known: ${STEPS.map(({ name }) => name).join(', ')}.\n`);
  process.exit(1);
}
const failed = STEPS.filter((step) => asked.length === 0 || asked.includes(step.name)).filter((step) => !run(step));
process.stdout.write(
  failed.length === 0 ? '[check] all ok\n' : `[check] failed: ${failed.map(({ name }) => name).join(', ')}\n`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
