import type { Figure } from '../harness/bench.ts';
import { betterOf, missingFrom, nameOf, ratioOf, worseThan } from './figures.ts';
import type { Outcome } from './run-scenario.ts';

/** `problems`: why the figures must not be stored. `isLoss`: because they are worse than the last ones. */
export type Verdict = { figures: Figure[]; problems: string[]; isLoss: boolean };

/**
 * Compares what scenarios recorded with the last figures. A scenario with a figure that is worse is run once more, as
 * machines vary, and the better ratio of the two counts.
 */
export async function judge(
  outcomes: readonly Outcome[],
  last: readonly Figure[],
  rerun: (scenario: string) => Promise<Outcome>,
): Promise<Verdict> {
  const first = outcomes.flatMap((outcome) => outcome.figures);
  const failures = problemsOf(outcomes);
  if (failures.length > 0) return { figures: first, problems: failures, isLoss: false };
  const worse = worseThan(last, first).map(({ figure }) => figure);
  const again: Outcome[] = [];
  for (const scenario of new Set(worse.map((figure) => figure.scenario))) again.push(await rerun(scenario));
  const second = again.flatMap((outcome) => outcome.figures);
  const figures = first.map((figure) => (worse.includes(figure) ? betterOf(figure, second) : figure));
  const losses = lossesOf(last, figures);
  return { figures, problems: [...problemsOf(again), ...losses], isLoss: losses.length > 0 };
}

/** Why scenarios broke off. */
export const problemsOf = (outcomes: readonly Outcome[]): string[] =>
  outcomes.flatMap(({ problem }) => (problem === undefined ? [] : [`FAILED: ${problem}`]));

function lossesOf(last: readonly Figure[], figures: readonly Figure[]): string[] {
  return [
    ...worseThan(last, figures).map(({ figure, before }) => {
      const now = ratioOf(figure).toFixed(2);
      return `WORSE: ${nameOf(figure)} is ${now} of ${figure.against.name}, was ${before.toFixed(2)}; measured twice`;
    }),
    ...missingFrom(figures, last).map(
      (figure) => `MISSING: ${nameOf(figure)} was compared with ${figure.against.name}, now nothing is recorded`,
    ),
  ];
}
