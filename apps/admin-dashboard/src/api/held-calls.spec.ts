import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createHeldCalls, holdMs } from './held-calls.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Calls that record their results. */
function recordCalls(response: Promise<boolean> = Promise.resolve(true)) {
  const log: string[] = [];
  const held = createHeldCalls();
  const hold = (id: string) =>
    held.hold({
      id,
      title: id,
      send: (isLeaving) => {
        log.push(`sent ${id}${isLeaving ? ' on leaving' : ''}`);
        return response;
      },
      onUndone: () => log.push(`undone ${id}`),
    });
  const ids = () => held.list().map(({ id }) => id);
  return { held, hold, log, ids };
}

describe('a call that is held', () => {
  it('is sent when its time is over, and counts as held until the response', async () => {
    let respond = () => {};
    const { hold, log, ids } = recordCalls(new Promise((done) => (respond = () => done(true))));
    hold('a');
    await jest.advanceTimersByTimeAsync(holdMs - 1);
    expect(log).toEqual([]);
    expect(ids()).toEqual(['a']);
    await jest.advanceTimersByTimeAsync(1);
    expect(log).toEqual(['sent a']);
    expect(ids()).toEqual(['a']);
    respond();
    await jest.advanceTimersByTimeAsync(0);
    expect(ids()).toEqual([]);
  });

  it('is never sent after it was undone', async () => {
    const { held, hold, log, ids } = recordCalls();
    hold('a');
    held.undo('a');
    await jest.advanceTimersByTimeAsync(2 * holdMs);
    expect(log).toEqual(['undone a']);
    expect(ids()).toEqual([]);
    expect(await held.sendAll()).toBe(true);
    expect(log).toEqual(['undone a']);
  });

  it('is undone last one first, and not after it was sent', async () => {
    const { held, hold, log } = recordCalls();
    ['a', 'b', 'c'].forEach(hold);
    const sent = held.send('c');
    held.undo('c');
    held.undo();
    held.undo();
    held.undo();
    await sent;
    expect(log).toEqual(['sent c', 'undone b', 'undone a']);
  });

  it('is the only one for the same task or input', async () => {
    const { hold, log } = recordCalls();
    hold('a');
    hold('a');
    await jest.advanceTimersByTimeAsync(2 * holdMs);
    expect(log).toEqual(['sent a']);
    hold('a');
    await jest.advanceTimersByTimeAsync(holdMs);
    expect(log).toEqual(['sent a', 'sent a']);
  });

  it('is sent at once, and once, when the page is left', async () => {
    const { held, hold, log } = recordCalls();
    ['a', 'b'].forEach(hold);
    const left = [held.sendAll(true), held.sendAll(true)];
    expect(log).toEqual(['sent a on leaving', 'sent b on leaving']);
    expect(await Promise.all(left)).toEqual([true, true]);
    await jest.advanceTimersByTimeAsync(2 * holdMs);
    expect(log).toHaveLength(2);
  });

  it('reports that it was refused', async () => {
    const { held, hold, ids } = recordCalls(Promise.resolve(false));
    hold('a');
    expect(await held.sendAll()).toBe(false);
    expect(ids()).toEqual([]);
  });
});
