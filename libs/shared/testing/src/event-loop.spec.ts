import { describe, expect, it } from '@jest/globals';
import { longestHoldMs } from './event-loop.ts';

function burn(ms: number): void {
  const from = process.threadCpuUsage();
  for (;;) {
    const { user, system } = process.threadCpuUsage(from);
    if (user + system >= ms * 1_000) return;
  }
}
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('longestHoldMs', () => {
  it('is the work of the longest tick, wherever in the work it is', async () => {
    const first = await longestHoldMs(async () => {
      burn(60);
      await nextTurn();
    });
    const later = await longestHoldMs(async () => {
      await nextTurn();
      burn(20);
      await nextTurn();
      burn(60);
    });
    for (const held of [first, later]) expect(held).toBeGreaterThanOrEqual(60);
  });

  it('counts neither work that is spread over ticks nor waiting', async () => {
    const held = await longestHoldMs(async () => {
      for (let turn = 0; turn < 20; turn += 1) {
        burn(10);
        await nextTurn();
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    });
    expect(held).toBeLessThan(100);
  });
});
