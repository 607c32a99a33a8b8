import type { Figure } from '../harness/bench.ts';
import { say, table } from '../harness/report.ts';
import type { RunDescription } from './describe-run.ts';
import { nameOf, ratioOf } from './figures.ts';
import { judge, problemsOf } from './judge.ts';
import { chooseLast, readResults, storeResults, type StoredResults } from './results.ts';
import type { Outcome } from './run-scenario.ts';

/** Prints the whole table and stores it unless a scenario failed or a figure became worse. Gives whether it is stored. */
export async function saveResults(
  run: RunDescription,
  outcomes: readonly Outcome[],
  rerun: (scenario: string) => Promise<Outcome>,
): Promise<boolean> {
  const { last, others } = chooseLast(readResults(), run);
  const { figures, problems, isLoss } = await judge(outcomes, last?.figures ?? [], rerun);
  sayFigures(run, figures);
  if (problemsOf(outcomes).length === 0) sayLast(run, last, others);
  for (const problem of problems) say(`  ${problem}`);
  if (problems.length === 0) {
    say(`  stored in ${storeResults({ ...run, figures })}`);
    return true;
  }
  say('  nothing is stored');
  if (isLoss && last)
    say(`  to accept the loss, remove ${last.file} (then an older one would be compared) and run this again`);
  return false;
}

function sayLast(run: RunDescription, last: StoredResults | undefined, others: readonly StoredResults[]): void {
  for (const { file, machine } of others)
    say(`  not compared with ${file}: another kind of machine (${machine.processor}, ${machine.cores} cores)`);
  if (!last) return say('  compared with nothing: no results of this back end and kind of machine are stored');
  const options = JSON.stringify(last.options);
  const differ = options === JSON.stringify(run.options) ? '' : `, which has other options: ${options}`;
  say(`  compared with ${last.file}${differ}`);
}

function sayFigures(run: RunDescription, figures: readonly Figure[]): void {
  const { date, machine, versions } = run;
  const commit = `${run.commit}${run.has_uncommitted_changes ? ' with uncommitted changes' : ''}`;
  const { peers, ...own } = versions;
  const names = Object.entries({ ...own, ...peers }).map(([name, version]) => `${name} ${version}`);
  say(
    `\nthe whole table: ${date}, commit ${commit}, ${machine.processor}, ${machine.cores} cores, ${machine.memory_gb} GB`,
  );
  say(`  ${names.join(', ')}`);
  table([
    ['', 'a second', 'compared with', 'a second', 'ratio'],
    ...figures.map((figure) => {
      const { rate, against } = figure;
      return [nameOf(figure), Math.round(rate), against.name, Math.round(against.rate), ratioOf(figure).toFixed(2)];
    }),
  ]);
}
