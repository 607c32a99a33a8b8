import { describe, expect, it } from '@jest/globals';
import { createFrameReader, type LiveEvent } from './frames.ts';
import { gatherLate, gatherStale, pauses } from './gather-stale.ts';
import { type Resource, staleAfter } from './stale-after.ts';

const stream =
  'retry: 3000\nid: 7\n\nid: 8\nevent: task.created\ndata: {"a":1}\n\n: heartbeat\nid: 9\n\n' +
  'id: 10\nevent: task.completed\ndata: {"text":"ä"}\n\n';

describe('reading the stream', () => {
  it.each([1, 2, 5, 1_000])('gives the same events and positions in pieces of %i characters', (size) => {
    const events: LiveEvent[] = [];
    const positions: string[] = [];
    const feed = createFrameReader(
      (event) => events.push(event),
      (id) => positions.push(id),
    );
    for (let at = 0; at < stream.length; at += size) feed(stream.slice(at, at + size));
    expect(events).toEqual([
      { type: 'task.created', data: { a: 1 } },
      { type: 'task.completed', data: { text: 'ä' } },
    ]);
    expect(positions).toEqual(['7', '8', '9', '10']);
  });

  it('returns an event without data if that is not JSON, and no event that was cut off', () => {
    const events: LiveEvent[] = [];
    createFrameReader(
      (event) => events.push(event),
      () => {},
    )('event: x\ndata: {\n\nevent: y\ndata: {}\n');
    expect(events).toEqual([{ type: 'x', data: undefined }]);
  });
});

describe('what an event makes stale', () => {
  it('follows from the family of its type, also of types that are newer than the page', () => {
    expect(staleAfter('task.blocked')).toContain('inputs');
    expect(staleAfter('task.renamed')).toContain('tasks');
    expect(staleAfter('workflow.started')).toContain('runs');
    expect(staleAfter('ping')).toEqual(['deliveries']);
  });

  it('leaves out what a frequent event does not change', () => {
    expect(staleAfter('task.updated')).toContain('reviews');
    expect(staleAfter('task.created')).not.toContain('reviews');
    expect(staleAfter('task.started')).not.toContain('inputs');
  });

  it('is invalidated at once after the first event, and once for all later events in a pause', () => {
    const marked: Resource[] = [];
    let due: (() => void) | undefined;
    const markStale = (resource: Resource) => void marked.push(resource);
    const gather = gatherStale(markStale, (work) => (due = work), pauses.quick);
    gather(['tasks']);
    expect(marked).toEqual(['tasks']);
    for (let count = 0; count < 1_000; count += 1) gather(['tasks', 'inputs']);
    expect(marked).toEqual(['tasks']);
    due?.();
    expect(marked).toEqual(['tasks', 'tasks', 'inputs']);
    due?.();
    gather(['runs']);
    expect(marked).toEqual(['tasks', 'tasks', 'inputs', 'runs']);
  });

  it('is invalidated at most once a second while events keep coming', () => {
    let now = 0;
    let due: { work: () => void; at: number } | undefined;
    const times: number[] = [];
    const gather = gatherStale(
      () => void times.push(now),
      (work, ms) => (due = { work, at: now + ms }),
      pauses.quick,
    );
    for (; now < 60_000; now += 100) {
      gather(['tasks']);
      if (!due || due.at > now) continue;
      const { work } = due;
      due = undefined;
      work();
    }
    const apart = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    expect(Math.max(...apart)).toBeLessThan(900);
    expect(Math.min(...apart)).toBeGreaterThan(500);
  });

  it('includes figures a minute later, once for all events until then', () => {
    const due: (() => void)[] = [];
    let made = 0;
    const gather = gatherLate(
      () => (made += 1),
      (work) => void due.push(work),
      60_000,
    );
    for (let count = 0; count < 100; count += 1) gather();
    expect([made, due.length]).toEqual([0, 1]);
    due.pop()?.();
    gather();
    expect([made, due.length]).toEqual([1, 1]);
  });
});
