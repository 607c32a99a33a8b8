import { describe, expect, it } from '@jest/globals';
import type { Apps } from '../harness/apps.ts';
import type { Scenario } from '../harness/bench.ts';
import type { Stores } from '../harness/stores.ts';
import { figureOf, runScenario } from './run-scenario.ts';

const measured = { name: '', rate: 50, against: { name: 'limit', rate: 100 } };

function fakes() {
  const calls: string[] = [];
  const apps = { stopAll: async () => void calls.push('apps stopped') } as unknown as Apps;
  const query = async (sql: string) => void calls.push(sql.split(' ')[0] ?? '');
  const stores = { database: { db: { query } } } as unknown as Stores;
  const options = { backend: undefined, only: [], roundSeconds: 1, rounds: 1, connections: 1, save: true };
  return { calls, parts: { apps, stores, options } };
}

const scenario = (run: Scenario['run']): Scenario => ({ name: 'tasks', about: 'a test', run });

describe('runScenario', () => {
  it('gives the figures that a scenario records', async () => {
    const { calls, parts } = fakes();
    const outcome = await runScenario(
      scenario(async ({ record }) => record(measured)),
      parts,
    );
    expect(outcome).toEqual({ figures: [{ scenario: 'tasks', ...measured }] });
    expect(calls).toEqual([]);
  });

  it('keeps what a scenario recorded before it threw, says why, and leaves nothing to the next one', async () => {
    const { calls, parts } = fakes();
    const breaksOff = scenario(async ({ record }) => {
      record(measured);
      throw new Error('real: requests failed');
    });
    const outcome = await runScenario(breaksOff, parts);
    expect(outcome).toEqual({ figures: [{ scenario: 'tasks', ...measured }], problem: 'tasks: real: requests failed' });
    expect(calls).toEqual(['apps stopped', 'TRUNCATE', 'VACUUM']);
  });

  it('says so when it cannot clean up', async () => {
    const { parts } = fakes();
    parts.apps.stopAll = () => Promise.reject(new Error('an app hangs'));
    const outcome = await runScenario(
      scenario(() => Promise.reject(new Error('broken'))),
      parts,
    );
    expect(outcome.problem).toBe('tasks: broken; cleaning up failed: an app hangs');
  });
});

describe('figureOf', () => {
  it('refuses rates that have no ratio', () => {
    for (const [rate, limit] of [[0, 100] as const, [NaN, 100] as const, [50, 0] as const, [50, NaN] as const])
      expect(() => figureOf('tasks', { name: '', rate, against: { name: 'limit', rate: limit } })).toThrow(
        'no ratio of',
      );
  });
});
