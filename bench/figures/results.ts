import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Figure } from '../harness/bench.ts';
import type { RunDescription } from './describe-run.ts';

export type Results = RunDescription & { figures: Figure[] };

/** `file`: its path in the repository. */
export type StoredResults = Results & { file: string };

const path = 'bench/results';
const folder = resolve(import.meta.dirname, '../../', path);

/** All that is stored, newest first. */
export function readResults(): StoredResults[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return names
    .sort()
    .reverse()
    .map((name) => ({
      ...(JSON.parse(readFileSync(join(folder, name), 'utf8')) as Results),
      file: `${path}/${name}`,
    }));
}

/** Gives the path in the repository. */
export function storeResults(results: Results): string {
  const name = `${results.date.replace(/[:Z]/g, '')}-${results.backend}.json`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `${JSON.stringify(results, null, 2)}\n`);
  return `${path}/${name}`;
}

type Comparable = Pick<Results, 'backend' | 'machine'>;

const isSameMachine = (a: Comparable['machine'], b: Comparable['machine']): boolean =>
  a.processor === b.processor && a.cores === b.cores;

/**
 * `last`: the newest results of the same back end and kind of machine. `others`: newer ones of another kind of machine.
 * A ratio means something else where processor or cores differ.
 */
export function chooseLast<Stored extends Comparable>(
  newestFirst: readonly Stored[],
  now: Comparable,
): { last: Stored | undefined; others: Stored[] } {
  const sameBackend = newestFirst.filter(({ backend }) => backend === now.backend);
  const index = sameBackend.findIndex(({ machine }) => isSameMachine(machine, now.machine));
  return { last: sameBackend[index], others: sameBackend.slice(0, index === -1 ? undefined : index) };
}
