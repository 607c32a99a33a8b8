import { describe, expect, it } from '@jest/globals';
import type { Figure } from '../harness/bench.ts';
import { judge } from './judge.ts';
import type { Outcome } from './run-scenario.ts';

const figure = (scenario: string, rate: number, name = ''): Figure => ({
  scenario,
  name,
  rate,
  against: { name: 'limit', rate: 100 },
});

/** Gives these figures in the second run, and records which scenarios were run again. */
function secondRun(...figures: Figure[]) {
  const scenarios: string[] = [];
  const rerun = async (scenario: string): Promise<Outcome> => {
    scenarios.push(scenario);
    return { figures: figures.filter((one) => one.scenario === scenario) };
  };
  return { scenarios, rerun };
}

const last = [figure('tasks', 50), figure('runs', 40, '20 in flight'), figure('runs', 60, '100 in flight')];

describe('judge', () => {
  it('accepts figures that are no worse without running anything again', async () => {
    const { scenarios, rerun } = secondRun();
    const now = [figure('tasks', 43), figure('runs', 40, '20 in flight'), figure('runs', 70, '100 in flight')];
    expect(await judge([{ figures: now }], last, rerun)).toEqual({ figures: now, problems: [], isLoss: false });
    expect(scenarios).toEqual([]);
  });

  it('runs the scenario of a worse figure once more and takes the better ratio of that figure alone', async () => {
    const { scenarios, rerun } = secondRun(figure('runs', 39, '20 in flight'), figure('runs', 90, '100 in flight'));
    const now = [figure('tasks', 50), figure('runs', 20, '20 in flight'), figure('runs', 60, '100 in flight')];
    const verdict = await judge([{ figures: now }], last, rerun);
    expect(scenarios).toEqual(['runs']);
    expect(verdict.problems).toEqual([]);
    expect(verdict.figures.map(({ rate }) => rate)).toEqual([50, 39, 60]);
  });

  it('names the figures that are still worse', async () => {
    const { scenarios, rerun } = secondRun(figure('runs', 19, '20 in flight'), figure('runs', 45, '100 in flight'));
    const now = [figure('tasks', 50), figure('runs', 20, '20 in flight'), figure('runs', 30, '100 in flight')];
    const verdict = await judge([{ figures: now }], last, rerun);
    expect(scenarios).toEqual(['runs']);
    expect(verdict).toMatchObject({ isLoss: true });
    expect(verdict.problems).toEqual([
      'WORSE: runs, 20 in flight is 0.20 of limit, was 0.40; measured twice',
      'WORSE: runs, 100 in flight is 0.45 of limit, was 0.60; measured twice',
    ]);
  });

  it('refuses when a figure of the last results is not recorded any more', async () => {
    const now = [figure('tasks', 50), figure('runs', 40, '20 in flight')];
    const verdict = await judge([{ figures: now }], last, secondRun().rerun);
    expect(verdict).toMatchObject({ isLoss: true });
    expect(verdict.problems).toEqual(['MISSING: runs, 100 in flight was compared with limit, now nothing is recorded']);
  });

  it('compares nothing when a scenario failed, and keeps the figures there are', async () => {
    const { scenarios, rerun } = secondRun();
    const outcomes = [{ figures: [figure('tasks', 10)] }, { figures: [], problem: 'runs: no run ended' }];
    const problems = ['FAILED: runs: no run ended'];
    expect(await judge(outcomes, last, rerun)).toEqual({ figures: [figure('tasks', 10)], problems, isLoss: false });
    expect(scenarios).toEqual([]);
  });

  it('refuses when the second run of a scenario fails', async () => {
    const rerun = async (): Promise<Outcome> => ({ figures: [figure('tasks', 50)], problem: 'tasks: broken' });
    const verdict = await judge([{ figures: [figure('tasks', 10)] }], [figure('tasks', 50)], rerun);
    expect(verdict.problems).toEqual(['FAILED: tasks: broken']);
  });
});
