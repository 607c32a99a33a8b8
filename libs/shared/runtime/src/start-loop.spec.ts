import { describe, expect, it } from '@jest/globals';
import type { Logger } from '@eas/core';
import { startLoop } from './start-loop.ts';

function recordingLogger() {
  const errors: Record<string, unknown>[] = [];
  const none = () => {};
  const logger: Logger = { error: (fields) => errors.push(fields), warn: none, info: none, debug: none };
  return { errors, logger };
}

/** Runs of the loop that the test ends one by one. */
function gatedRuns() {
  const ends: (() => void)[] = [];
  let active = 0;
  let most = 0;
  const run = async () => {
    active += 1;
    most = Math.max(most, active);
    await new Promise<void>((resolve) => ends.push(resolve));
    active -= 1;
  };
  const started = async (count: number) => {
    while (ends.length < count) await new Promise((resolve) => setImmediate(resolve));
  };
  return { run, ends, started, most: () => most };
}

describe('startLoop', () => {
  it('never overlaps, and runs again at once when woken during a run', async () => {
    const { run, ends, started, most } = gatedRuns();
    const loop = startLoop({ name: 'relay', everyMs: 60_000, run, logger: recordingLogger().logger });
    await started(1);
    loop.wake();
    loop.wake();
    ends[0]?.();
    await started(2);
    const stopped = loop.stop();
    ends[1]?.();
    await stopped;
    expect(most()).toBe(1);
    expect(ends).toHaveLength(2);
  });

  it('survives an error and logs it', async () => {
    const { errors, logger } = recordingLogger();
    let count = 0;
    await new Promise<void>((resolve) => {
      const loop = startLoop({
        name: 'sweeper',
        everyMs: 1,
        logger,
        run: async () => {
          count += 1;
          if (count === 1) throw new Error('database away');
          void loop.stop().then(resolve);
        },
      });
    });
    expect(count).toBe(2);
    expect(errors).toEqual([expect.objectContaining({ loop: 'sweeper' })]);
  });

  it('does not start again once stopped', async () => {
    let count = 0;
    const run = async () => void (count += 1);
    const loop = startLoop({ name: 'relay', everyMs: 1, run, logger: recordingLogger().logger });
    await loop.stop();
    loop.wake();
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(count).toBeLessThanOrEqual(1);
  });
});
