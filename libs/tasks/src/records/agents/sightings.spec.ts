import { silentLogger } from '@eas/testing';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  type AgentRef,
  createSightings,
  type Departure,
  recordCallers,
  type Sighting,
  type Sightings,
} from './sightings.ts';

const ada = { tenantId: 'tnt_1', id: 'agt_a' };
const bo = { tenantId: 'tnt_1', id: 'agt_b' };
/** Moves the time of the interval; work that waits for the I/O of its tick really waits. */
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
function open(intervalMs: number, { see = async () => {}, leave = async () => {}, goneAfterMs = 3 * intervalMs } = {}) {
  const writes: (readonly Sighting[])[] = [];
  const departures: Departure[] = [];
  sightings = createSightings({
    see: (seen) => (writes.push(seen), see()),
    leave: (gone) => (departures.push(...gone), leave()),
    logger: silentLogger,
    intervalMs,
    goneAfterMs,
  });
  return { writes, departures };
}

const seen = (agent: AgentRef, isWaiting = false) => ({ ...agent, isWaiting });

describe('sightings', () => {
  it('that are concurrent are written at once and together, each agent once, in one order', async () => {
    const { writes } = open(60_000);
    for (const agent of [bo, ada, ada]) sightings.record(agent);
    await moment();
    expect(writes).toEqual([[seen(ada), seen(bo)]]);
  });

  it('of an agent that keeps calling are written once, and then with each interval', async () => {
    const { writes } = open(50);
    for (let call = 0; call < 12; call += 1) {
      sightings.record(ada);
      await pass(10);
    }
    expect(writes).toEqual([[seen(ada)], [seen(ada)], [seen(ada)]]);
  });

  it('of a silent agent continue for a while; then it is gone, as of its last sign', async () => {
    const { writes, departures } = open(50, { goneAfterMs: 100 });
    sightings.record(ada);
    await pass(60);
    expect([writes.at(-1), departures]).toEqual([[seen(ada)], []]);
    await pass(50);
    expect(writes.at(-1)).toEqual([]);
    expect(departures).toEqual([{ ...ada, silentMs: expect.any(Number) }]);
    expect(departures[0]?.silentMs).toBeGreaterThanOrEqual(99);
  });

  it('continue with each interval without any caller, as a sign of the process', async () => {
    const { writes } = open(50);
    await pass(110);
    expect(writes).toEqual([[], []]);
  });

  it('report at once that an agent waits, though it was seen just now', async () => {
    const { writes } = open(60_000);
    sightings.record(ada);
    await moment();
    sightings.startWaiting(ada);
    await moment();
    expect(writes.at(-1)).toEqual([seen(ada, true)]);
  });

  it('of a waiting agent continue without a call, until its last claim has ended', async () => {
    const { writes, departures } = open(40, { goneAfterMs: 40 });
    const leave = [sightings.startWaiting(ada), sightings.startWaiting(ada)];
    await pass(100);
    leave[0]?.();
    await pass(60);
    expect(writes.at(-1)).toEqual([seen(ada, true)]);
    leave[1]?.();
    await pass(90);
    expect(writes.at(-1)).toEqual([]);
    expect(departures).toHaveLength(1);
  });

  it('of an agent that claims again as soon as a claim has ended report it as waiting throughout', async () => {
    const { writes } = open(50);
    for (let claim = 0; claim < 10; claim += 1) {
      const leave = sightings.startWaiting(ada);
      await pass(23);
      leave();
      await pass(2);
    }
    expect(new Set(writes.flat().map(({ isWaiting }) => isWaiting))).toEqual(new Set([true]));
  });

  it('end with the process, for all of its agents', async () => {
    const { departures } = open(60_000);
    sightings.startWaiting(bo);
    sightings.record(ada);
    await moment();
    await sightings.close();
    expect(departures.map(({ id }) => id)).toEqual(['agt_a', 'agt_b']);
  });

  it('are not lost by a write that fails, nor is that an agent has gone', async () => {
    const away = () => Promise.reject(new Error('away'));
    const { writes, departures } = open(50, { see: away, leave: away, goneAfterMs: 60 });
    sightings.record(ada);
    await pass(60);
    expect(writes).toEqual([[seen(ada)], [seen(ada)]]);
    await pass(100);
    expect(departures.length).toBeGreaterThanOrEqual(2);
  });

  it('are of callers with the key of an agent alone', async () => {
    const { writes } = open(60_000);
    const record = recordCallers(sightings);
    record({ tenantId: 'tnt_1', actor: { id: 'key_1', isAdmin: true } });
    record({ tenantId: 'tnt_1', actor: { id: 'agt_a', agentId: 'agt_a' } });
    await moment();
    expect(writes).toEqual([[seen(ada)]]);
  });
});
