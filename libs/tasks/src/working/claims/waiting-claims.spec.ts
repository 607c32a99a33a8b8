import type { Listener } from '@eas/db';
import { eventually, ignoredSightings } from '@eas/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { createWaitingClaims, type WaitingClaim, type WaitingLimits } from './waiting-claims.ts';
import { workKeyOf } from '../../records/tasks/work-key.ts';

const over = new AbortController();
afterAll(() => over.abort());

function openWaitingClaims(limits?: WaitingLimits) {
  const wakers = new Map<string, (key: string) => void>();
  const listener = {
    on: (channel: string, waker: () => void) => void wakers.set(channel, waker),
  } as unknown as Listener;
  const waitingClaims = createWaitingClaims(listener, over.signal, ignoredSightings, limits);
  /** A waiting agent that reports whether it was woken. */
  const wait = (agentId: string, role = 'rd', capabilities: string[] = [], tenantId = 't', isFull = false) => {
    const claim: WaitingClaim = waitingClaims.enter({ tenantId, agentId, role, capabilities, isFull });
    let isAwake = false;
    claim.startPoll();
    void claim.sleep(10_000, over.signal).then(() => (isAwake = true));
    return { claim, isAwake: () => isAwake };
  };
  const waitFull = (agentId: string) => wait(agentId, 'rd', [], 't', true);
  return { wait, waitFull, notify: (key: string, channel = 'work') => wakers.get(channel)?.(key) };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const settledPromises = () => new Promise<void>((resolve) => process.nextTick(resolve));
const now = new Date();
const soon = new Date(now.getTime() + 1);
const task = { assignedRole: 'rd', assignedAgent: null, isPinned: false, notFor: null, lostBy: null, restsUntil: null };

describe('claims that wait', () => {
  it('are woken one of each kind, longest waiting first, and one that found work wakes the next two', async () => {
    const { wait, notify } = openWaitingClaims();
    const [first, second, able, other] = [wait('a'), wait('b'), wait('c', 'rd', ['rust']), wait('d', 'qa')];
    const [third, fourth] = [wait('e'), wait('f')];
    notify(workKeyOf('t', task, now));
    await settled();
    expect([first, second, able, other].map(({ isAwake }) => isAwake())).toEqual([true, false, true, false]);
    first.claim.leave(first.claim.startPoll());
    await settled();
    expect([second, third, fourth].map(({ isAwake }) => isAwake())).toEqual([true, true, false]);
    for (const { claim } of [second, able, other, third, fourth]) claim.leave(false);
  });

  it('are all woken when wake-ups may have been missed, a hundred at a time', async () => {
    const { wait, notify } = openWaitingClaims();
    const waits = Array.from({ length: 150 }, (_, n) => wait(`a${n}`, `role ${n}`));
    notify('');
    // Before any timer: the next hundred are woken by one.
    await settledPromises();
    expect(waits.filter(({ isAwake }) => isAwake())).toHaveLength(100);
    await eventually(() => waits.every(({ isAwake }) => isAwake()));
    for (const { claim } of waits) claim.leave(false);
  });

  it('are limited per tenant, and do not take the slots of others', () => {
    const { wait } = openWaitingClaims({ perTenant: 2, perProcess: 4 });
    const waits = [wait('a'), wait('b')];
    expect(() => wait('c')).toThrow(
      expect.objectContaining({ code: 'conflict', violations: [{ field: 'wait_seconds', constraint: 'limit' }] }),
    );
    waits.push(wait('d', 'rd', [], 'another tenant'));
    for (const { claim } of waits) claim.leave(false);
    wait('c').claim.leave(false);
  });

  it('pass their wake-up on to its matching waiters', async () => {
    const { wait, notify } = openWaitingClaims();
    const [first, barred, second, third] = [wait('a'), wait('b'), wait('c'), wait('d')];
    notify(workKeyOf('t', { ...task, notFor: 'b' }, now));
    await settled();
    first.claim.leave(first.claim.startPoll());
    await settled();
    expect([barred, second, third].map(({ isAwake }) => isAwake())).toEqual([false, true, true]);
    for (const { claim } of [barred, second, third]) claim.leave(false);
  });

  it('are not woken by a claim that found nothing', async () => {
    const { wait, notify } = openWaitingClaims();
    const [first, second] = [wait('a'), wait('b')];
    notify(workKeyOf('t', task, now));
    first.claim.startPoll();
    first.claim.leave(false);
    await settled();
    expect(second.isAwake()).toBe(false);
    second.claim.leave(false);
  });

  it.each([
    ['the agent of a pinned task', { ...task, assignedAgent: 'b', isPinned: true }, [false, true, false]],
    ['an eligible one when the one that waits longest is not', { ...task, notFor: 'a' }, [false, true, false]],
    ['not the agent that has just given it back', { ...task, lostBy: 'a', restsUntil: soon }, [false, true, false]],
    ['that agent too when its time has come', { ...task, lostBy: 'a', restsUntil: now }, [true, false, false]],
    ['one of each kind for a task of any role', { ...task, assignedRole: null }, [true, false, true]],
  ])('are woken: %s', async (_, change, woken) => {
    const { wait, notify } = openWaitingClaims();
    const waits = [wait('a'), wait('b'), wait('c', 'qa')];
    notify(workKeyOf('t', change, now));
    await settled();
    expect(waits.map(({ isAwake }) => isAwake())).toEqual(woken);
    for (const { claim } of waits) claim.leave(false);
  });

  it("of full agents are woken by a slot of their own, one after the other, and do not consume others' wake-ups", async () => {
    const { wait, waitFull, notify } = openWaitingClaims();
    const [full, again, other] = [waitFull('a'), waitFull('a'), waitFull('b')];
    const free = wait('c');
    notify(workKeyOf('t', task, now));
    await settled();
    expect([full, again, other, free].map(({ isAwake }) => isAwake())).toEqual([false, false, false, true]);
    notify('t a', 'slot');
    await settled();
    expect([full, again, other].map(({ isAwake }) => isAwake())).toEqual([true, false, false]);
    full.claim.leave(full.claim.startPoll());
    await settled();
    expect([again, other].map(({ isAwake }) => isAwake())).toEqual([true, false]);
    for (const { claim } of [again, other, free]) claim.leave(false);
  });

  it('are not woken for other tenants, and all poll after the listener was disconnected', async () => {
    const { wait, notify } = openWaitingClaims();
    const waits = [wait('a'), wait('b', 'qa')];
    notify(workKeyOf('other', task, now));
    await settled();
    expect(waits.some(({ isAwake }) => isAwake())).toBe(false);
    notify('');
    await settled();
    expect(waits.every(({ isAwake }) => isAwake())).toBe(true);
    for (const { claim } of waits) claim.leave(false);
  });
});
