// Fails on an import cycle between files or folders and on an import to a higher floor, and if what is kept broken in
// tools/canary is not found.
import { cruise, type ICruiseOptions, type ICruiseResult } from 'dependency-cruiser';
import extractDepcruiseConfig from 'dependency-cruiser/config-utl/extract-depcruise-config';
import extractTsConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import { resolve } from 'node:path';
import { floorsOf } from './floors/floors.ts';
import {
  arrowsBetween,
  floorFindings,
  type Floors,
  foldersOf,
  type Import,
  knotFindings,
} from './floors/folder-rules.ts';

const root = resolve(import.meta.dirname, '..');
const CANARY = 'tools/canary';

type Cruised = { violations: string[]; files: string[]; imports: Import[] };

async function cruiseFolders(folders: string[], exclude: string[]): Promise<Cruised> {
  const config = await extractDepcruiseConfig(resolve(root, '.dependency-cruiser.cjs'));
  const options: ICruiseOptions = {
    ...config.options,
    ruleSet: { forbidden: config.forbidden ?? [] },
    validate: true,
    baseDir: root,
    exclude: { path: ['/dist/', '/generated/', ...exclude] },
  };
  const { output } = await cruise(folders, options, undefined, {
    tsConfig: extractTsConfig(resolve(root, 'tsconfig.json')),
  });
  const { summary, modules } = output as ICruiseResult;
  const violations = summary.violations.map(({ rule, from, to, cycle }) => {
    const path = cycle ? cycle.map(({ name }) => name) : [to];
    return `${rule.name}: ${[from, ...path].join(' → ')}`;
  });
  const own = modules.filter(({ source }) => folders.some((folder) => source.startsWith(`${folder}/`)));
  const files = new Set(own.map(({ source }) => source));
  const imports = own.flatMap(({ source: from, dependencies }) =>
    dependencies.map(({ resolved: to }) => ({ from, to })).filter(({ to }) => files.has(to)),
  );
  return { violations: [...new Set(violations)], files: [...files], imports };
}

type Report = { findings: string[]; folders: number; arrows: number; knots: number };

function checkFolders({ files, imports }: Cruised, tables: Readonly<Record<string, Floors>>): Report {
  const arrows = arrowsBetween(imports);
  const folders = foldersOf(files);
  const knots = knotFindings(arrows);
  const findings = [
    ...knots,
    ...Object.entries(tables).flatMap(([project, table]) => floorFindings(project, table, folders, arrows)),
    ...projectsOf(folders)
      .filter((project) => !tables[project])
      .map((project) => `${project} has several folders and no floors in tools/floors/floors.ts`),
  ];
  const count = [...arrows.values()].reduce((sum, targets) => sum + targets.size, 0);
  return { findings, folders: folders.length, arrows: count, knots: knots.length };
}

function projectsOf(folders: readonly string[]): string[] {
  const projects = folders.flatMap((folder) => /^(?:apps|libs)\/.*?\/src(?=\/)/.exec(folder)?.[0] ?? []);
  return [...new Set(projects)];
}

async function missedCanaries(): Promise<string[]> {
  const cycle = await cruiseFolders([`${CANARY}/cycle`], []);
  const floors = await cruiseFolders([`${CANARY}/floors`], []);
  const { findings } = checkFolders(floors, { [`${CANARY}/floors`]: { floors: [['attic', 'loft'], ['cellar']] } });
  const missed = [
    { what: 'the cycle of files', isFound: cycle.violations.some((line) => line.startsWith('no-cycle')) },
    { what: 'the cycle of folders', isFound: findings.some((line) => line.startsWith('folders in a cycle')) },
    { what: 'the arrow upward', isFound: findings.some((line) => line.includes('cellar > attic leads upward')) },
    {
      what: 'the arrow to a neighbour',
      isFound: findings.some((line) => line.includes('attic > loft leads to the same')),
    },
  ];
  return missed
    .filter(({ isFound }) => !isFound)
    .map(({ what }) => `${what} in ${CANARY} was not found: this gate is broken`);
}

const code = await cruiseFolders(
  ['apps', 'libs', 'tools', 'bench'],
  [`^${CANARY}/(cycle|floors)/`, '^tools/contract/(client|tmp|node_modules)/', '^bench/peers/'],
);
const { findings, folders, arrows, knots } = checkFolders(code, floorsOf);
const problems = [...code.violations, ...findings, ...(await missedCanaries())];
for (const line of problems) console.error(line);
console.log(`${code.files.length} files, ${code.violations.length} cycles of files or unresolved imports`);
console.log(
  `${folders} folders, ${arrows} arrows, ${knots} cycles of folders, ${findings.length - knots} other findings`,
);
process.exitCode = problems.length === 0 && code.files.length > 0 ? 0 : 1;
