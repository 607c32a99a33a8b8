import type { Listener } from '@eas/db';
import { eventually } from '@eas/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { createWaitingRoom, type Seat, type WaitingLimits } from './waiting-room.ts';
import { workKeyOf } from '../../records/tasks/work-key.ts';

const over = new AbortController();
afterAll(() => over.abort());

function openRoom(limits?: WaitingLimits) {
  const wakers = new Map<string, (key: string) => void>();
  const listener = {
    on: (channel: string, waker: () => void) => void wakers.set(channel, waker),
  } as unknown as Listener;
  const sightings = { record() {}, startWaiting: () => () => {} };
  const room = createWaitingRoom(listener, over.signal, sightings, limits);
  /** An agent that rests; says whether it was woken. */
  const sit = (agentId: string, role = 'rd', capabilities: string[] = [], tenantId = 't', isFull = false) => {
    const seat: Seat = room.enter({ tenantId, agentId, role, capabilities, isFull });
    let isAwake = false;
    seat.startPoll();
    void seat.rest(10_000, over.signal).then(() => (isAwake = true));
    return { seat, isAwake: () => isAwake };
  };
  const sitFull = (agentId: string) => sit(agentId, 'rd', [], 't', true);
  return { sit, sitFull, notify: (key: string, channel = 'work') => wakers.get(channel)?.(key) };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const now = new Date();
const soon = new Date(now.getTime() + 1);
const task = { assignedRole: 'rd', assignedAgent: null, isPinned: false, notFor: null, lostBy: null, restsUntil: null };

describe('claims that wait', () => {
  it('are woken one of each kind, longest waiting first, and who found work wakes the next two', async () => {
    const { sit, notify } = openRoom();
    const [first, second, able, other] = [sit('a'), sit('b'), sit('c', 'rd', ['rust']), sit('d', 'qa')];
    const [third, fourth] = [sit('e'), sit('f')];
    notify(workKeyOf('t', task, now));
    await settled();
    expect([first, second, able, other].map(({ isAwake }) => isAwake())).toEqual([true, false, true, false]);
    first.seat.leave(first.seat.startPoll());
    await settled();
    expect([second, third, fourth].map(({ isAwake }) => isAwake())).toEqual([true, true, false]);
    for (const { seat } of [second, able, other, third, fourth]) seat.leave(false);
  });

  it('are all woken when wake-ups may have been missed, a hundred at a time', async () => {
    const { sit, notify } = openRoom();
    const seats = Array.from({ length: 150 }, (_, n) => sit(`a${n}`, `role ${n}`));
    notify('');
    await settled();
    expect(seats.filter(({ isAwake }) => isAwake())).toHaveLength(100);
    await eventually(() => seats.every(({ isAwake }) => isAwake()));
    for (const { seat } of seats) seat.leave(false);
  });

  it('are as many as a tenant may have, and do not take the slots of others', () => {
    const { sit } = openRoom({ perTenant: 2, perProcess: 4 });
    const seats = [sit('a'), sit('b')];
    expect(() => sit('c')).toThrow(
      expect.objectContaining({ code: 'conflict', violations: [{ field: 'wait_seconds', constraint: 'limit' }] }),
    );
    seats.push(sit('d', 'rd', [], 'another tenant'));
    for (const { seat } of seats) seat.leave(false);
    sit('c').seat.leave(false);
  });

  it('pass on what woke them to those whom it means', async () => {
    const { sit, notify } = openRoom();
    const [first, barred, second, third] = [sit('a'), sit('b'), sit('c'), sit('d')];
    notify(workKeyOf('t', { ...task, notFor: 'b' }, now));
    await settled();
    first.seat.leave(first.seat.startPoll());
    await settled();
    expect([barred, second, third].map(({ isAwake }) => isAwake())).toEqual([false, true, true]);
    for (const { seat } of [barred, second, third]) seat.leave(false);
  });

  it('are left asleep by who looked in vain', async () => {
    const { sit, notify } = openRoom();
    const [first, second] = [sit('a'), sit('b')];
    notify(workKeyOf('t', task, now));
    first.seat.startPoll();
    first.seat.leave(false);
    await settled();
    expect(second.isAwake()).toBe(false);
    second.seat.leave(false);
  });

  it.each([
    ['the agent of a pinned task', { ...task, assignedAgent: 'b', isPinned: true }, [false, true, false]],
    ['one who may do it when the one that waits longest may not', { ...task, notFor: 'a' }, [false, true, false]],
    ['not the agent that has just given it back', { ...task, lostBy: 'a', restsUntil: soon }, [false, true, false]],
    ['that agent too when its time has come', { ...task, lostBy: 'a', restsUntil: now }, [true, false, false]],
    ['one of each kind for a task of any role', { ...task, assignedRole: null }, [true, false, true]],
  ])('are woken: %s', async (_, change, woken) => {
    const { sit, notify } = openRoom();
    const seats = [sit('a'), sit('b'), sit('c', 'qa')];
    notify(workKeyOf('t', change, now));
    await settled();
    expect(seats.map(({ isAwake }) => isAwake())).toEqual(woken);
    for (const { seat } of seats) seat.leave(false);
  });

  it('of full agents are woken by a slot of their own, one after the other, and keep no wake-up from others', async () => {
    const { sit, sitFull, notify } = openRoom();
    const [full, again, other] = [sitFull('a'), sitFull('a'), sitFull('b')];
    const free = sit('c');
    notify(workKeyOf('t', task, now));
    await settled();
    expect([full, again, other, free].map(({ isAwake }) => isAwake())).toEqual([false, false, false, true]);
    notify('t a', 'slot');
    await settled();
    expect([full, again, other].map(({ isAwake }) => isAwake())).toEqual([true, false, false]);
    full.seat.leave(full.seat.startPoll());
    await settled();
    expect([again, other].map(({ isAwake }) => isAwake())).toEqual([true, false]);
    for (const { seat } of [again, other, free]) seat.leave(false);
  });

  it('are not woken for other tenants, and everybody polls after the listener was away', async () => {
    const { sit, notify } = openRoom();
    const seats = [sit('a'), sit('b', 'qa')];
    notify(workKeyOf('other', task, now));
    await settled();
    expect(seats.some(({ isAwake }) => isAwake())).toBe(false);
    notify('');
    await settled();
    expect(seats.every(({ isAwake }) => isAwake())).toBe(true);
    for (const { seat } of seats) seat.leave(false);
  });
});
