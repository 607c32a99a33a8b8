import { currentTraceparent, setTracer } from '@eas/core';
import { createRecordingTracer } from '@eas/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ResultTooLarge } from './db.ts';
import { Unavailable } from './unavailable.ts';
import { createGatherer, type BatchResult } from './gather.ts';

const ok = <O>(value: O): BatchResult<O> => ({ ok: true, value });
const sqlError = (message: string, code: string) => Object.assign(new Error(message), { code });
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** A statement that returns each item, records its batches and fails for items for which `isBad` is true. */
function statement(isBad: (item: number) => boolean = () => false) {
  const batches: number[][] = [];
  const run = async (items: readonly number[]) => {
    batches.push([...items]);
    if (items.some(isBad)) throw sqlError(`cannot write ${items.filter(isBad).join(', ')}`, '23505');
    return items.map(ok);
  };
  return { batches, run };
}

/** A statement whose runs the test ends. */
function heldStatement() {
  const runs: { items: readonly number[]; end(): void }[] = [];
  const run = (items: readonly number[]) =>
    new Promise<BatchResult<number>[]>((resolve) => runs.push({ items, end: () => resolve(items.map(ok)) }));
  return { runs, run };
}

describe('gathering', () => {
  it('sends concurrent calls together and returns to each its own result', async () => {
    const { batches, run } = statement();
    const gather = createGatherer(run);
    const first = [1, 2, 3].map(gather);
    await Promise.resolve();
    expect(await Promise.all([...first, gather(4)])).toEqual([1, 2, 3, 4]);
    expect(batches).toEqual([[1, 2, 3, 4]]);
  });

  it('sends nothing in the tick of the call, and a later call in a batch of its own', async () => {
    const { batches, run } = statement();
    const gather = createGatherer(run);
    const first = gather(1);
    expect(batches).toEqual([]);
    await first;
    await gather(2);
    expect(batches).toEqual([[1], [2]]);
  });

  it('splits many calls into batches of at most `max`, in the order of the calls', async () => {
    const { batches, run } = statement();
    const gather = createGatherer(run, { max: 4, inFlight: 1 });
    const items = Array.from({ length: 10 }, (_, n) => n);
    expect(await Promise.all(items.map(gather))).toEqual(items);
    expect(batches).toEqual([
      [0, 1, 2, 3],
      [4, 5, 6, 7],
      [8, 9],
    ]);
  });

  it('runs at most `inFlight` statements at a time; calls that arrive while they run share the next one', async () => {
    const { runs, run } = heldStatement();
    const gather = createGatherer(run, { max: 2, inFlight: 2 });
    const results = [1, 2, 3, 4, 5].map(gather);
    await nextTurn();
    expect(runs.map(({ items }) => items)).toEqual([
      [1, 2],
      [3, 4],
    ]);
    results.push(gather(6));
    await nextTurn();
    expect(runs).toHaveLength(2);
    runs[1]?.end();
    await nextTurn();
    expect(runs.map(({ items }) => items).at(-1)).toEqual([5, 6]);
    for (const { end } of runs) end();
    expect(await Promise.all(results)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('returns to every call its own result, whatever the timing', async () => {
    const limits = fc.record({ max: fc.integer({ min: 1, max: 5 }), inFlight: fc.integer({ min: 1, max: 3 }) });
    await fc.assert(
      fc.asyncProperty(limits, fc.array(fc.boolean(), { maxLength: 30 }), async (options, pauses) => {
        let running = 0;
        const gather = createGatherer(async (items: readonly number[]) => {
          running += 1;
          expect(running).toBeLessThanOrEqual(options.inFlight);
          expect(items.length).toBeLessThanOrEqual(options.max);
          await nextTurn();
          running -= 1;
          return items.map((item) => ok(item * 10));
        }, options);
        const results: Promise<number>[] = [];
        for (const [n, isPause] of pauses.entries()) {
          results.push(gather(n));
          if (isPause) await nextTurn();
        }
        expect(await Promise.all(results)).toEqual(pauses.map((_, n) => n * 10));
      }),
      { numRuns: 50 },
    );
  });
});

describe('large items', () => {
  it('are split into batches of at most `maxBytes`, a larger one alone', async () => {
    const { batches, run } = statement();
    const gather = createGatherer(run, { max: 10, maxBytes: 100, inFlight: 1 });
    const sizes = [40, 60, 1, 500, 99, 2, 2];
    await Promise.all(sizes.map((bytes, item) => gather(item, bytes)));
    expect(batches).toEqual([[0, 1], [2], [3], [4], [5, 6]]);
  });

  it('are refused with Unavailable once the waiting ones are too large together', async () => {
    const { runs, run } = heldStatement();
    const gather = createGatherer(run, { max: 1, inFlight: 1, maxWaitingBytes: 100 });
    const running = gather(0, 500);
    await nextTurn();
    const waiting = [gather(1, 60), gather(2, 40)];
    await expect(gather(3, 1)).rejects.toBeInstanceOf(Unavailable);
    for (let index = 0; index < 3; index += 1) {
      runs[index]?.end();
      await nextTurn();
    }
    expect(await Promise.all([running, ...waiting])).toEqual([0, 1, 2]);
    const later = gather(4, 1);
    await nextTurn();
    runs[3]?.end();
    expect(await later).toBe(4);
  });

  it('whose results are too large together are tried one by one', async () => {
    const run = async (items: readonly number[]) => {
      if (items.length > 1 || items[0] === 2) throw new ResultTooLarge();
      return items.map(ok);
    };
    const gather = createGatherer(run);
    const settled = await Promise.allSettled([1, 2, 3].map((item) => gather(item)));
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
});

describe('a crowd of waiting calls', () => {
  it('is refused with Unavailable once it is too large', async () => {
    const { runs, run } = heldStatement();
    const gather = createGatherer(run, { max: 2, inFlight: 1, maxWaiting: 3 });
    const first = gather(1);
    await nextTurn();
    const waiting = [2, 3, 4].map(gather);
    await expect(gather(5)).rejects.toBeInstanceOf(Unavailable);
    for (let index = 0; index < 3; index += 1) {
      runs[index]?.end();
      await nextTurn();
    }
    expect(await Promise.all([first, ...waiting])).toEqual([1, 2, 3, 4]);
  });
});

describe('a gathered statement that fails', () => {
  it('is replayed item by item, so that only the bad item fails', async () => {
    const { batches, run } = statement((item) => item === 2);
    const gather = createGatherer(run);
    const settled = await Promise.allSettled([1, 2, 3].map(gather));
    expect(settled).toEqual([
      { status: 'fulfilled', value: 1 },
      { status: 'rejected', reason: sqlError('cannot write 2', '23505') },
      { status: 'fulfilled', value: 3 },
    ]);
    expect(batches).toEqual([[1, 2, 3], [1], [2], [3]]);
  });

  it.each(['22P02', '23503', '54000', 'P0001', '40001', '40P01'])('is replayed after SQL error %s', async (code) => {
    const batches: number[] = [];
    const gather = createGatherer(async (items: readonly number[]) => {
      batches.push(items.length);
      if (items.length > 1) throw sqlError('not all of them', code);
      return items.map(ok);
    });
    expect(await Promise.all([1, 2].map(gather))).toEqual([1, 2]);
    expect(batches).toEqual([2, 1, 1]);
  });

  it.each(['57P01', '08006', '53300', '42601', '25P02', 'ECONNRESET', 'EPIPE'])(
    'rejects its whole batch at once after %s, which no row can have caused',
    async (code) => {
      const batches: number[] = [];
      const gather = createGatherer((items: readonly number[]) => {
        batches.push(items.length);
        return Promise.reject(sqlError('gone', code));
      });
      const settled = await Promise.allSettled([1, 2, 3].map(gather));
      expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
      expect(batches).toEqual([3]);
    },
  );

  it('rejects its batch and all waiting calls when it may not be replayed', async () => {
    const { batches, run } = statement((item) => item === 2);
    const gather = createGatherer(run, { max: 2, inFlight: 1, isReplaying: false });
    const settled = await Promise.allSettled([1, 2, 3, 4, 5].map(gather));
    expect(settled.map(({ status }) => status)).toEqual(Array(5).fill('rejected'));
    expect(batches).toEqual([[1, 2]]);
  });

  it('is not tried twice for an item that was alone', async () => {
    const { batches, run } = statement(() => true);
    await expect(createGatherer(run)(1)).rejects.toThrow('cannot write 1');
    expect(batches).toEqual([[1]]);
  });

  it('fails only the items for which it returns an error', async () => {
    const wrong = new Error('only this one');
    const gather = createGatherer(async (items: readonly number[]) =>
      items.map((item): BatchResult<number> => (item === 2 ? { ok: false, error: wrong } : ok(item))),
    );
    const [one, two] = await Promise.allSettled([gather(1), gather(2)]);
    expect(one).toEqual({ status: 'fulfilled', value: 1 });
    expect(two).toEqual({ status: 'rejected', reason: wrong });
  });

  it('leaves no caller waiting when it returns too few results', async () => {
    const gather = createGatherer(async (items: readonly number[]) => items.slice(1).map(ok));
    const [one, two] = await Promise.allSettled([gather(1), gather(2)]);
    expect(one).toMatchObject({ status: 'fulfilled' });
    expect(two).toMatchObject({ reason: new Error('a batch gave too few results') });
  });

  it('does not stop later ones', async () => {
    const { run } = statement((item) => item < 0);
    const gather = createGatherer(run, { max: 10, inFlight: 1 });
    await expect(gather(-1)).rejects.toThrow();
    expect(await gather(7)).toBe(7);
  });
});

describe('while tracing is on', () => {
  afterEach(() => setTracer(undefined));

  it('a statement for one caller belongs to its span, a statement for several to none', async () => {
    const tracing = createRecordingTracer();
    setTracer(tracing);
    const seen: (string | undefined)[] = [];
    const gather = createGatherer(async (items: readonly number[]) => (seen.push(currentTraceparent()), items.map(ok)));
    const call = (name: string, item: number) => tracing.start(name).run(() => gather(item));
    await call('alone', 1);
    await Promise.all([call('first', 2), call('second', 3)]);
    expect(seen).toEqual(['span 1', undefined]);
  });
});
