// Who imports whom among folders, as findings over plain data; tools/check-cycles.ts collects the data.
import { dirname, relative } from 'node:path';

/** One import, by the paths of both files from the workspace's root. */
export type Import = { from: string; to: string };

export type Arrows = ReadonlyMap<string, ReadonlyMap<string, readonly Import[]>>;

/** The top floor first. An entry includes the folders below it that have no entry; `.` is the source folder alone. */
export type Floors = {
  floors: readonly (readonly string[])[];
  /** Arrows between folders of one floor that are allowed: `from > to`. */
  across?: readonly string[];
};

/** A lib's public list and an entry point belong to no folder: they may import everything. */
const isDoor = (file: string) => /^libs\/.*\/src\/index\.ts$|\/main\.ts$/.test(file);
const isTestCode = (file: string) => /\.(spec|fixture)\.ts$/.test(file);

export function foldersOf(files: readonly string[]): string[] {
  const counted = files.filter((file) => !isDoor(file) && !isTestCode(file));
  return [...new Set(counted.map((file) => dirname(file)))];
}

/** Arrows between folders, without those of doors, of specs and of their fixtures. */
export function arrowsBetween(imports: readonly Import[]): Arrows {
  const arrows = new Map<string, Map<string, Import[]>>();
  for (const one of imports) {
    if (isTestCode(one.from) || isDoor(one.from) || isDoor(one.to)) continue;
    const [from, to] = [dirname(one.from), dirname(one.to)];
    if (from === to) continue;
    const targets = arrows.get(from) ?? new Map<string, Import[]>();
    arrows.set(from, targets.set(to, [...(targets.get(to) ?? []), one]));
  }
  return arrows;
}

/** One line per group of folders that lead to each other, with an import for each of its arrows. */
export function knotFindings(arrows: Arrows): string[] {
  return knotsOf(arrows).map((knot) => {
    const within = knot.flatMap((from) => knot.flatMap((to) => arrows.get(from)?.get(to)?.[0] ?? []));
    return `folders in a cycle: ${knot.join(', ')}${within.map(shown).join('')}`;
  });
}

function knotsOf(arrows: Arrows): string[][] {
  const reached = new Map([...arrows.keys()].map((folder) => [folder, reachedFrom(folder, arrows)]));
  const isTied = (a: string, b: string) => reached.get(a)?.has(b) === true && reached.get(b)?.has(a) === true;
  const folders = [...arrows.keys()].sort();
  return folders
    .map((folder) => folders.filter((other) => isTied(folder, other)))
    .filter((knot, index) => knot[0] === folders[index]);
}

function reachedFrom(start: string, arrows: Arrows): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [start];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const next of arrows.get(folder)?.keys() ?? []) {
      if (reached.has(next)) continue;
      reached.add(next);
      open.push(next);
    }
  }
  return reached;
}

const shown = ({ from, to }: Import): string => `\n    ${from} → ${to}`;

/** A line per folder without a floor, arrow upward or across that is not named, and entry that stands for nothing. */
export function floorFindings(
  project: string,
  { floors, across = [] }: Floors,
  folders: readonly string[],
  arrows: Arrows,
): string[] {
  const names = floors.flat();
  const own = folders.filter((folder) => folder === project || folder.startsWith(`${project}/`));
  const entryOf = new Map(own.map((folder) => [folder, longestMatch(relative(project, folder) || '.', names)]));
  const floorOf = (name: string) => floors.findIndex((floor) => floor.includes(name));
  const entries = new Set(entryOf.values());
  const unusedAcross = new Set(across);
  const findings = [
    ...own.filter((folder) => !entryOf.get(folder)).map((folder) => `${folder} stands on no floor`),
    ...names.filter((name) => !entries.has(name)).map((name) => `${project}: there is no folder ${name}`),
  ];
  for (const [from, targets] of arrows) {
    for (const [to, [example]] of targets) {
      const [source, target] = [entryOf.get(from), entryOf.get(to)];
      if (!example || !source || !target || source === target) continue;
      const arrow = `${source} > ${target}`;
      unusedAcross.delete(arrow);
      const down = floorOf(target) - floorOf(source);
      if (down < 0) findings.push(`${project}: ${arrow} leads upward${shown(example)}`);
      if (down === 0 && !across.includes(arrow))
        findings.push(`${project}: ${arrow} leads to the same floor${shown(example)}`);
    }
  }
  return [...findings, ...[...unusedAcross].map((arrow) => `${project}: there is no arrow ${arrow}`)];
}

function longestMatch(folder: string, names: readonly string[]): string | undefined {
  const matches = names.filter((name) => folder === name || folder.startsWith(`${name}/`));
  return matches.sort((a, b) => b.length - a.length)[0];
}
