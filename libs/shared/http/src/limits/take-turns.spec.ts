import type { Request, Response } from 'express';
import { describe, expect, it } from '@jest/globals';
import { takeTurns } from './take-turns.ts';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

function createTurns() {
  const begun: string[] = [];
  const handle = takeTurns(({ headers }) => String(headers['x-api-key']));
  const arrive = (caller: string, response: Partial<Response> = {}) => {
    const request = { headers: { 'x-api-key': caller } } as unknown as Request;
    void handle(request, { locals: {}, destroyed: false, ...response } as Response, () => void begun.push(caller));
  };
  return { begun, arrive };
}

describe('turns of callers', () => {
  it('begin a request at once while requests are few', () => {
    const { begun, arrive } = createTurns();
    arrive('a');
    arrive('b');
    expect(begun).toEqual(['a', 'b']);
  });

  it('let one request of a caller overtake a thousand earlier ones of another', async () => {
    const { begun, arrive } = createTurns();
    for (let n = 0; n < 1_000; n += 1) arrive('noisy');
    arrive('quiet');
    await turn();
    await turn();
    expect(begun).toContain('quiet');
    expect(begun.length).toBeLessThanOrEqual(24);
  });

  it('continue until every request has begun, and yield the event loop in between', async () => {
    const { begun, arrive } = createTurns();
    for (let n = 0; n < 80; n += 1) arrive(n % 2 ? 'a' : 'b');
    let turns = 0;
    for (; begun.length < 80; turns += 1) await turn();
    expect(turns).toBeGreaterThanOrEqual(9);
    expect(begun.filter((caller) => caller === 'a')).toHaveLength(40);
  });

  it('skip a client that has disconnected', async () => {
    const { begun, arrive } = createTurns();
    for (let n = 0; n < 9; n += 1) arrive('a');
    arrive('gone', { destroyed: true });
    arrive('b');
    for (let n = 0; n < 5; n += 1) await turn();
    expect(begun).toEqual([...Array<string>(9).fill('a'), 'b']);
  });

  it('begin at once again when none waits any more', async () => {
    const { begun, arrive } = createTurns();
    for (let n = 0; n < 30; n += 1) arrive('a');
    for (let n = 0; n < 7; n += 1) await turn();
    arrive('b');
    expect(begun.at(-1)).toBe('b');
  });
});
