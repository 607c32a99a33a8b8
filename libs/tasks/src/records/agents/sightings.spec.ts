import { silentLogger } from '@eas/testing';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createSightings, recordCallers, type Sighting, type Sightings } from './sightings.ts';

const ada = { tenantId: 'tnt_1', id: 'agt_a' };
const bo = { tenantId: 'tnt_1', id: 'agt_b' };
/** The interval's time is moved; what waits for the I/O of its turn really waits. */
async function pass(ms: number): Promise<void> {
  await jest.advanceTimersByTimeAsync(ms);
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
const moment = () => pass(1);

let sightings: Sightings;
beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
afterEach(async () => {
  await sightings.close();
  jest.useRealTimers();
});

/** Each list is what one write got. */
function open(intervalMs: number, write = async () => {}): Sighting[][] {
  const writes: Sighting[][] = [];
  sightings = createSightings({
    write: (seen) => (writes.push([...seen]), write()),
    logger: silentLogger,
    intervalMs,
  });
  return writes;
}

describe('sightings', () => {
  it('of one moment are written at once and together, each agent once, in one order', async () => {
    const writes = open(60_000);
    for (const agent of [bo, ada, ada]) sightings.record(agent);
    await moment();
    expect(writes).toEqual([
      [
        { ...ada, isWaiting: false },
        { ...bo, isWaiting: false },
      ],
    ]);
  });

  it('of an agent that keeps calling are written once an interval, and no more when it stops', async () => {
    const writes = open(50);
    for (let call = 0; call < 12; call += 1) {
      sightings.record(ada);
      await pass(10);
    }
    await pass(60);
    const count = writes.length;
    expect(count).toBeGreaterThanOrEqual(2);
    expect(count).toBeLessThanOrEqual(5);
    await pass(120);
    expect(writes).toHaveLength(count);
  });

  it('report at once that an agent waits, though it was seen just now', async () => {
    const writes = open(60_000);
    sightings.record(ada);
    await moment();
    sightings.startWaiting(ada);
    await moment();
    expect(writes.at(-1)).toEqual([{ ...ada, isWaiting: true }]);
  });

  it('of an agent that waits go on without a call, until its last claim has ended', async () => {
    const writes = open(40);
    const leave = [sightings.startWaiting(ada), sightings.startWaiting(ada)];
    await pass(100);
    expect(writes.length).toBeGreaterThanOrEqual(2);
    leave[0]?.();
    await pass(60);
    expect(writes.at(-1)).toEqual([{ ...ada, isWaiting: true }]);
    leave[1]?.();
    await pass(60);
    expect(writes.at(-1)).toEqual([{ ...ada, isWaiting: false }]);
  });

  it('are not lost on the way to the end of the process, nor by a write that fails', async () => {
    const writes = open(60_000, () => Promise.reject(new Error('away')));
    sightings.record(ada);
    await moment();
    sightings.record(ada);
    sightings.record(bo);
    await sightings.close();
    expect(writes.flat().map(({ id }) => id)).toEqual(['agt_a', 'agt_a', 'agt_b']);
  });

  it('are of callers with the key of an agent alone', async () => {
    const writes = open(60_000);
    const record = recordCallers(sightings);
    record({ tenantId: 'tnt_1', actor: { id: 'key_1', isAdmin: true } });
    record({ tenantId: 'tnt_1', actor: { id: 'agt_a', agentId: 'agt_a' } });
    await moment();
    expect(writes).toEqual([[{ ...ada, isWaiting: false }]]);
  });
});
