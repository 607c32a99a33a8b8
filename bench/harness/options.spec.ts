import { describe, expect, it } from '@jest/globals';
import { readOptions } from './options.ts';

describe('readOptions', () => {
  it('refuses to store a part of the table', () => {
    expect(() => readOptions(['--save', '--only', 'claim-cycles'])).toThrow('--save stores the whole table');
  });

  it('runs workflows next to their peers for the whole table, in rounds short enough for 20 minutes', () => {
    const { only, roundSeconds } = readOptions(['--save']);
    expect(only).toEqual(expect.arrayContaining(['create-task', 'workflow-runs', 'workflow-peers', 'delivery-rate']));
    expect(roundSeconds).toBe(5);
  });

  it('runs the chosen scenarios, for longer', () => {
    expect(readOptions(['--only', 'claim-cycles'])).toMatchObject({ only: ['claim-cycles'], roundSeconds: 8 });
    expect(readOptions(['--save', '--seconds', '2']).roundSeconds).toBe(2);
  });
});
