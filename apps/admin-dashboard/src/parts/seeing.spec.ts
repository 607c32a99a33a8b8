import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createSeeing } from './seeing.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function watch() {
  const onSeen = jest.fn();
  return { onSeen, ...createSeeing(onSeen) };
}

describe('what a person decides about', () => {
  it('is seen when both of its ends were on screen for half a second', async () => {
    const { onSeen, move, missing } = watch();
    move('start', true);
    move('end', true);
    await jest.advanceTimersByTimeAsync(499);
    expect(onSeen).not.toHaveBeenCalled();
    expect(missing()).toBe('start');
    await jest.advanceTimersByTimeAsync(1);
    expect(onSeen).toHaveBeenCalledTimes(1);
    expect(missing()).toBeUndefined();
  });

  it('is seen in parts when it is longer than the window', async () => {
    const { onSeen, move, missing } = watch();
    move('start', true);
    await jest.advanceTimersByTimeAsync(500);
    expect(missing()).toBe('end');
    move('start', false);
    move('end', true);
    await jest.advanceTimersByTimeAsync(500);
    expect(onSeen).toHaveBeenCalledTimes(1);
  });

  it('is not seen when it only passes by', async () => {
    const { onSeen, move, missing } = watch();
    move('start', true);
    await jest.advanceTimersByTimeAsync(500);
    for (let times = 0; times < 5; times += 1) {
      move('end', true);
      move('end', true);
      await jest.advanceTimersByTimeAsync(300);
      move('end', false);
    }
    await jest.advanceTimersByTimeAsync(1_000);
    expect(onSeen).not.toHaveBeenCalled();
    expect(missing()).toBe('end');
  });

  it('is not seen after the page has gone on to something else', async () => {
    const { onSeen, move, stop } = watch();
    move('start', true);
    move('end', true);
    stop();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(onSeen).not.toHaveBeenCalled();
  });
});
