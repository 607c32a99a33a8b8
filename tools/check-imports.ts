// Fails on import cycles of files or folders and on imports from a higher layer (defined in .dependency-cruiser.cjs), and if the
// broken imports in tools/canary are not found.
import { cruise, type ICruiseOptions, type ICruiseResult } from 'dependency-cruiser';
import extractDepcruiseConfig from 'dependency-cruiser/config-utl/extract-depcruise-config';
import extractTsConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const folders = ['apps', 'libs', 'tools', 'bench', 'deploy'];
const config = await extractDepcruiseConfig(resolve(root, '.dependency-cruiser.cjs'));
const tsConfig = extractTsConfig(resolve(root, 'tsconfig.json'));

type Rules = NonNullable<ICruiseOptions['ruleSet']>['forbidden'];

async function violationsOf(forbidden: Rules, excluded: readonly string[] = []): Promise<string[]> {
  const { path } = config.options?.exclude as { path: string[] };
  const exclude = { path: [...path, ...excluded] };
  const options = { ...config.options, exclude, ruleSet: { forbidden }, validate: true, baseDir: root };
  const { output } = await cruise(folders, options, undefined, { tsConfig });
  const { summary } = output as ICruiseResult;
  process.stdout.write(`${summary.totalCruised} files, ${summary.totalDependenciesCruised} imports\n`);
  return summary.violations.map(({ rule, from, to, cycle }) => {
    const path = cycle ? cycle.map(({ name }) => name) : [to];
    return `${rule.name}: ${[from, ...path].join(' → ')}`;
  });
}

/** A library's index, entry points and test code may import everything. */
const entryFiles = ['^libs/.*/src/index\\.ts$', '/main\\.ts$', '\\.(spec|fixture)\\.ts$'];
const found = [
  ...(await violationsOf(config.forbidden)),
  ...(await violationsOf([{ name: 'no-folder-cycle', scope: 'folder', from: {}, to: { circular: true } }], entryFiles)),
];
const canary = [
  'no-cycle: tools/canary/cycle/first.ts → ',
  'no-folder-cycle: tools/canary/layers/top → ',
  'no-folder-cycle: tools/canary/layers/bottom → ',
  'downward-only: tools/canary/layers/bottom: ',
  'downward-only: tools/canary/layers/top: tools/canary/layers/top/importing.ts → tools/canary/layers/middle/imported.ts',
];
const problems = found.filter((line) => !canary.some((known) => line.startsWith(known)));
const silent = canary.filter((known) => !found.some((line) => line.startsWith(known)));
for (const line of problems) console.error(line);
for (const line of silent) console.error(`not found in tools/canary, so this check is broken: ${line}`);
process.stdout.write(`${problems.length} cycles, imports upward or unresolved\n`);
process.exitCode = problems.length + silent.length === 0 ? 0 : 1;
