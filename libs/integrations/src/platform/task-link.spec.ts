import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { TaskChange } from './task-change.ts';
import { isEmptyPatch, type LinkMemory, mergeChanges, statusMeaning, type TaskPatch } from './task-link.ts';

type Own = { title: string; priority: string; tags: string[] };
const start: LinkMemory = { platformStatus: null, fieldDates: {} };
const meaning = (word: string) => statusMeaning({}, word);

function applyTo(own: Own, { changes }: TaskPatch): Own {
  const tags = [...new Set([...(changes.tags ?? own.tags), ...(changes.addedTags ?? [])])];
  return {
    title: changes.title ?? own.title,
    priority: changes.priority ?? own.priority,
    tags: tags.filter((tag) => !changes.removedTags?.includes(tag)).sort(),
  };
}

function play(groups: TaskChange[][]): Own & Pick<LinkMemory, 'platformStatus'> {
  let memory = start;
  let own: Own = { title: '', priority: '', tags: [] };
  for (const changes of groups) {
    const merged = mergeChanges(memory, changes, meaning);
    memory = merged.memory;
    own = applyTo(own, merged.patch);
  }
  return { ...own, platformStatus: memory.platformStatus };
}

const tag = fc.constantFrom('a', 'b', 'c');
const change = fc.oneof(
  fc.record({ field: fc.constant('title' as const), value: fc.string() }),
  fc.record({ field: fc.constant('priority' as const), value: fc.constantFrom('low' as const, 'high' as const) }),
  fc.record({ field: fc.constant('tags' as const), value: fc.uniqueArray(tag) }),
  fc.record({ field: fc.constant('tag' as const), added: fc.uniqueArray(tag), removed: fc.constant([]) }),
  fc.record({ field: fc.constant('tag' as const), added: fc.constant([]), removed: fc.uniqueArray(tag) }),
  fc.record({ field: fc.constant('status' as const), value: fc.constantFrom('to do', 'in progress', 'done') }),
);
const history = fc
  .array(change, { maxLength: 8 })
  .map((changes) => changes.map((one, index) => ({ ...one, at: index + 1 }) as TaskChange));
const shuffled = history.chain((changes) =>
  fc.tuple(fc.constant(changes), fc.shuffledSubarray(changes, { minLength: changes.length })),
);

describe('mergeChanges', () => {
  it('ends the same in whatever order dated changes arrive', () => {
    fc.assert(
      fc.property(shuffled, ([inOrder, asArrived]) => {
        expect(play(asArrived.map((one) => [one]))).toEqual(play(inOrder.map((one) => [one])));
      }),
    );
  });

  it('ends the same when changes arrive together, and when all of them arrive again', () => {
    fc.assert(
      fc.property(shuffled, ([inOrder, asArrived]) => {
        const expected = play(inOrder.map((one) => [one]));
        expect(play([inOrder])).toEqual(expected);
        expect(play([...asArrived, ...asArrived].map((one) => [one]))).toEqual(expected);
      }),
    );
  });

  it('takes a change of the same date, and none that is older', () => {
    const at = (value: string, date: number): TaskChange[] => [{ field: 'title', value, at: date }];
    expect(play([at('a', 5), at('b', 5)]).title).toBe('b');
    expect(play([at('a', 5), at('b', 4)]).title).toBe('a');
  });

  it('does nothing when the platform repeats its status word', () => {
    const once = mergeChanges(start, [{ field: 'status', value: 'to do', at: 5 }], meaning);
    expect(once.patch).toMatchObject({ status: 'open', platformStatus: 'to do' });
    expect(isEmptyPatch(mergeChanges(once.memory, [{ field: 'status', value: 'to do', at: 9 }], meaning).patch)).toBe(
      true,
    );
  });

  it('remembers at most 200 single tags', () => {
    const changes = Array.from({ length: 300 }, (_, index): TaskChange => {
      return { field: 'tag', added: [`t${index}`], removed: [], at: index + 1 };
    });
    const { fieldDates } = mergeChanges(start, changes, meaning).memory;
    expect(Object.keys(fieldDates)).toHaveLength(200);
    expect(fieldDates['tag:t299']).toBe(300);
  });
});

describe('statusMeaning', () => {
  it('knows the built-in words, and lets an integration override them', () => {
    expect(['to do', 'Open', 'COMPLETE', 'closed', 'done'].map(meaning)).toEqual([
      'open',
      'open',
      'completed',
      'completed',
      'completed',
    ]);
    expect(['in progress', 'review', 'constructor'].map(meaning)).toEqual(['hold', 'hold', 'hold']);
    expect(statusMeaning({ shipped: 'completed', done: 'hold' }, 'Shipped')).toBe('completed');
    expect(statusMeaning({ shipped: 'completed', done: 'hold' }, 'done')).toBe('hold');
  });
});
