import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import type { Figure } from '../harness/bench.ts';
import { nameOf, ratioOf, worseThan } from './figures.ts';
import type { Outcome } from './run-scenario.ts';
import { say, table } from '../harness/report.ts';
import type { Stores } from '../harness/stores.ts';

const folder = resolve(import.meta.dirname, '../results');

type Results = {
  date: string;
  commit: string;
  backend: string;
  machine: { processor: string; cores: number; memory_gb: number };
  versions: { node: string; postgres: string };
  figures: Figure[];
};

/** Prints the figures and stores them in bench/results unless a scenario broke off. Gives whether none is worse than before. */
export async function saveResults({ backend, database }: Stores, outcomes: readonly Outcome[]): Promise<boolean> {
  const figures = outcomes.flatMap((outcome) => outcome.figures);
  sayFigures(figures);
  if (!sayProblems(outcomes)) {
    say('  nothing is stored');
    return false;
  }
  const last = readLast(backend);
  const [row] = await database.db.query<{ version: string }>(`SELECT current_setting('server_version') AS version`);
  const results: Results = {
    date: new Date().toISOString().slice(0, 10),
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
    }).trim(),
    backend,
    machine: {
      processor: cpus()[0]?.model ?? 'unknown',
      cores: availableParallelism(),
      memory_gb: Math.round(totalmem() / 2 ** 30),
    },
    versions: { node: process.version, postgres: row?.version ?? 'unknown' },
    figures,
  };
  mkdirSync(folder, { recursive: true });
  const file = `${results.date}-${backend}.json`;
  writeFileSync(join(folder, file), `${JSON.stringify(results, null, 2)}\n`);
  const worse = last ? worseThan(last.figures, figures) : [];
  for (const { figure, before } of worse)
    say(
      `  WORSE: ${nameOf(figure)} is ${ratioOf(figure).toFixed(2)} of ${figure.against.name}, was ${before.toFixed(2)}`,
    );
  say(`  stored in bench/results/${file}, compared with ${last ? `the results of ${last.date}` : 'none before'}`);
  return worse.length === 0;
}

/** Prints which scenarios broke off, and gives whether none did. */
export function sayProblems(outcomes: readonly Outcome[]): boolean {
  const problems = outcomes.flatMap(({ problem }) => problem ?? []);
  for (const problem of problems) say(`  FAILED: ${problem}`);
  return problems.length === 0;
}

function sayFigures(figures: readonly Figure[]): void {
  table([
    ['', 'a second', 'compared with', 'a second', 'ratio'],
    ...figures.map((figure) => {
      const { rate, against } = figure;
      return [nameOf(figure), Math.round(rate), against.name, Math.round(against.rate), ratioOf(figure).toFixed(2)];
    }),
  ]);
}

function readLast(backend: string): Results | undefined {
  if (!existsSync(folder)) return undefined;
  const [newest] = readdirSync(folder)
    .filter((file) => file.endsWith(`-${backend}.json`))
    .sort()
    .reverse();
  return newest === undefined ? undefined : (JSON.parse(readFileSync(join(folder, newest), 'utf8')) as Results);
}
