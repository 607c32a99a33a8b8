import { eventually } from '@eas/testing/eventually';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { SessionEntry } from './cards.ts';
import { openSource, type PageQuery, type SessionPage, type SessionState } from './session-source.ts';

const ending = new Set<AbortController>();
afterEach(() => ending.forEach((one) => one.abort()));

const entry = (number: number) => ({ number, at: '', lease_id: 'lse_1', agent_id: 'agt_1', kind: 'notice', text: 'x' });

/** A session whose pages have at most `most` entries, as those of a service that ends them by bytes. */
function scene(numbers: readonly number[], most: number) {
  const reads: PageQuery[] = [];
  let kept = numbers.map(entry) as SessionEntry[];
  let fail: Error | undefined;
  const states: SessionState[] = [];
  const end = new AbortController();
  ending.add(end);
  const source = openSource({
    async read(query): Promise<SessionPage> {
      reads.push(query);
      await Promise.resolve();
      if (fail) throw fail;
      const { after = 0, limit } = query;
      const data = kept.filter(({ number }) => number > after).slice(0, Math.min(limit, most));
      const last_number = numbers.at(-1) ?? 0;
      return { data, has_more: (data.at(-1)?.number ?? last_number) < last_number, last_number };
    },
    follow: () => new Promise(() => {}),
    signal: end.signal,
    show: (state) => void states.push(state),
  });
  const state = () => states.at(-1);
  const numbersShown = () => state()?.attempts.flatMap(({ cards }) => cards.map(({ number }) => number)) ?? [];
  return {
    ...source,
    reads,
    state,
    numbersShown,
    isShown: (count: number) => eventually(() => numbersShown().length === count),
    lose: (before: number) => void (kept = kept.filter(({ number }) => number >= before)),
    break: (error: Error | undefined) => void (fail = error),
  };
}
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);

describe('earlier entries of a session', () => {
  it('are read without gaps, even from short pages', async () => {
    const session = scene(range(1, 2_500), 64);
    await session.isShown(1_000);
    await session.readEarlier();
    expect(session.numbersShown()).toEqual(range(501, 2_500));
    await session.readEarlier();
    expect(session.numbersShown()).toEqual(range(1, 2_500));
    expect(session.state()?.earlier).toBeUndefined();
  });

  it('are read once while several reads are requested', async () => {
    const session = scene(range(1, 1_500), 1_000);
    await session.isShown(1_000);
    await Promise.all([session.readEarlier(), session.readEarlier()]);
    expect(session.numbersShown()).toEqual(range(1, 1_500));
  });

  it('end at the oldest entry that is kept', async () => {
    const session = scene(range(301, 900), 1_000);
    await session.isShown(600);
    expect(session.state()?.earlier).toBeUndefined();
    const longer = scene(range(301, 1_900), 1_000);
    await longer.isShown(1_000);
    expect(longer.state()?.earlier).toEqual({ isReading: false, error: undefined });
    longer.lose(901);
    await longer.readEarlier();
    expect([longer.numbersShown(), longer.state()?.earlier]).toEqual([range(901, 1_900), undefined]);
  });

  it('can be retried after an error, which is shown and keeps the other entries', async () => {
    const session = scene(range(1, 1_500), 1_000);
    await session.isShown(1_000);
    session.break(new Error('away'));
    await session.readEarlier();
    expect(session.state()).toMatchObject({
      error: undefined,
      earlier: { isReading: false, error: expect.any(Error) },
    });
    expect(session.numbersShown()).toEqual(range(501, 1_500));
    session.break(undefined);
    await session.readEarlier();
    expect(session.numbersShown()).toEqual(range(1, 1_500));
  });
});
