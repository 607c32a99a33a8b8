import { describe, expect, it } from '@jest/globals';
import { readOptions } from './options.ts';

describe('readOptions', () => {
  it('refuses to store a part of the table', () => {
    expect(() => readOptions(['--save', '--only', 'claim-cycles'])).toThrow('--save stores the whole table');
  });

  it('refuses to store figures of a peer without its version', () => {
    const env = { BENCH_PEER: 'svix:http://127.0.0.1:8071:token' };
    expect(() => readOptions(['--save'], env)).toThrow('BENCH_PEER_VERSION must have the version');
    expect(readOptions(['--save'], { ...env, BENCH_PEER_VERSION: '1.84.0' }).save).toBe(true);
    expect(readOptions([], env).save).toBe(false);
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
