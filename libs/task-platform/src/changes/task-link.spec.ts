import { newId } from '@eas/core';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { TaskChange } from './task-change.ts';
import { statusMeaning } from './status-meaning.ts';
import {
  emptyMemory,
  isEmptyPatch,
  type LinkMemory,
  mergeChanges,
  type PlatformRules,
  type TaskPatch,
} from './task-link.ts';

type Own = { title: string; priority: string; tags: string[] };
const rules: PlatformRules = {
  meaningOf: (word, type) => statusMeaning({}, word, type),
  targetOf: (user) => targets[user.key],
  targetOfLabel: () => undefined,
  projectOfPlace: (id) => projects[id],
};
const agents = [1, 2].map(() => newId('agent'));
const projects: Record<string, string | undefined> = { 1: newId('project') };
const targets: Record<string, string | undefined> = { u1: agents[0], u2: 'qa', u3: agents[1] };

function applyTo(own: Own, { changes }: TaskPatch): Own {
  const tags = [...new Set([...(changes.tags ?? own.tags), ...(changes.addedTags ?? [])])];
  return {
    title: changes.title ?? own.title,
    priority: changes.priority ?? own.priority,
    tags: tags.filter((tag) => !changes.removedTags?.includes(tag)).sort(),
  };
}

function play(groups: TaskChange[][]): Own & Pick<LinkMemory, 'platformStatus' | 'details'> {
  let memory = emptyMemory;
  let own: Own = { title: '', priority: '', tags: [] };
  for (const changes of groups) {
    const merged = mergeChanges(memory, changes, rules);
    memory = merged.memory;
    own = applyTo(own, merged.patch);
  }
  const { platformStatus, details } = memory;
  // The order in which words are learnt means nothing, and a set that was emptied is none.
  const { status_types: types = [], assignees = [], ...rest } = details;
  return { ...own, platformStatus, details: { ...rest, assignees, status_types: types.length > 3 ? types : [] } };
}

const tag = fc.constantFrom('a', 'b', 'c');
const type = fc.constantFrom(null, 'open', 'closed');
const user = fc.constantFrom('u1', 'u2', 'u3', 'u4').map((key) => ({ key, id: key, name: key, email: null }));
const detail = fc.record({
  name: fc.constantFrom('list' as const, 'start_date' as const),
  value: fc.constantFrom('1', '2', null),
});
const change = fc.oneof(
  fc.record({ field: fc.constant('title' as const), value: fc.string() }),
  fc.record({ field: fc.constant('priority' as const), value: fc.constantFrom('low' as const, 'high' as const) }),
  fc.record({ field: fc.constant('tags' as const), value: fc.uniqueArray(tag) }),
  fc.record({ field: fc.constant('tag' as const), added: fc.uniqueArray(tag), removed: fc.constant([]) }),
  fc.record({ field: fc.constant('tag' as const), added: fc.constant([]), removed: fc.uniqueArray(tag) }),
  fc.record({ field: fc.constant('status' as const), value: fc.constantFrom('to do', 'in progress', 'done'), type }),
  fc.record({ field: fc.constant('assignee' as const), added: fc.uniqueArray(user), removed: fc.constant([]) }),
  fc.record({ field: fc.constant('assignee' as const), added: fc.constant([]), removed: fc.uniqueArray(user) }),
  fc.record({ field: fc.constant('assignees' as const), value: fc.uniqueArray(user) }),
  fc.record({ field: fc.constant('detail' as const), detail }),
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
    const once = mergeChanges(emptyMemory, [{ field: 'status', value: 'to do', type: null, at: 5 }], rules);
    expect(once.patch).toMatchObject({ status: 'open', platformStatus: 'to do' });
    expect(
      isEmptyPatch(mergeChanges(once.memory, [{ field: 'status', value: 'to do', type: null, at: 9 }], rules).patch),
    ).toBe(true);
  });

  it('remembers at most 200 single tags', () => {
    const changes = Array.from({ length: 300 }, (_, index): TaskChange => {
      return { field: 'tag', added: [`t${index}`], removed: [], at: index + 1 };
    });
    const { fieldDates } = mergeChanges(emptyMemory, changes, rules).memory;
    expect(Object.keys(fieldDates)).toHaveLength(200);
    expect(fieldDates['tag:t299']).toBe(300);
  });

  it('sets the agent and the role that assignees stand for, and takes back what it set', () => {
    const at = (added: string[], removed: string[], date: number): TaskChange => {
      const users = (keys: string[]) => keys.map((key) => ({ key, id: key, name: `n ${key}`, email: null }));
      return { field: 'assignee', added: users(added), removed: users(removed), at: date };
    };
    const first = mergeChanges(emptyMemory, [at(['u1', 'u2', 'u4'], [], 1)], rules);
    expect(first.patch).toMatchObject({
      assignment: { agent: { from: null, to: agents[0] }, role: { from: null, to: 'qa' } },
      entries: [{ field: 'assignees', to: 'n u1, n u2, n u4' }],
    });
    const second = mergeChanges(first.memory, [at([], ['u1', 'u2'], 2)], rules);
    expect(second.patch).toMatchObject({
      assignment: { agent: { from: agents[0], to: null }, role: { from: 'qa', to: null } },
      entries: [{ field: 'assignees', from: 'n u1, n u2, n u4', to: 'n u4' }],
    });
    expect(isEmptyPatch(mergeChanges(second.memory, [at([], ['u1'], 3)], rules).patch)).toBe(true);
  });

  it('counts the same word again when the platform now gives it a type that means something else', () => {
    const status = (type: string | null, at: number): TaskChange => ({ field: 'status', value: 'shipped', type, at });
    const once = mergeChanges(emptyMemory, [status(null, 5)], rules);
    expect(once.patch.status).toBe('hold');
    expect(mergeChanges(once.memory, [status('closed', 4)], rules).patch.status).toBe('completed');
  });

  it('writes an entry for a detail once, whatever event brings it', () => {
    const moved: TaskChange = { field: 'detail', detail: { name: 'time_spent', value: '1h' }, at: 5 };
    const once = mergeChanges(emptyMemory, [moved], rules);
    expect(once.patch.entries).toEqual([{ field: 'time_spent', to: '1h' }]);
    expect(mergeChanges(once.memory, [moved], rules).patch.entries).toEqual([]);
  });
});
