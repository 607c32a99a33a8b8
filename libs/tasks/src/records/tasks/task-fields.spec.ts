import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Task } from './task.ts';
import { changedFields, setFields, type TaskFields } from './task-fields.ts';

const base: Task = {
  id: 'tsk_1',
  title: 't',
  description: 'd',
  status: 'created',
  priority: 'medium',
  dueDate: new Date(0),
  assignedRole: 'rd',
  assignedAgent: 'agt_1',
  tags: ['a'],
  metadata: { a: { b: 1 } },
  projectId: null,
  createdAt: new Date(0),
  updatedAt: new Date(0),
  version: 1,
  timelineSeq: 1,
  fencingToken: 0,
  leaseId: null,
  lostLeases: 0,
  isHeld: false,
  isPinned: false,
  firstClaimedAt: null,
  completedAt: null,
  completedBy: null,
  codeQuality: null,
  requirementsClarity: null,
  result: null,
  failures: 0,
  notBefore: null,
  lostBy: null,
  restsUntil: null,
  percentComplete: null,
  estimateRemaining: null,
  milestones: [],
  directiveSeq: 0,
  acceptance: null,
  reviewOf: null,
  reviewTaskId: null,
  notFor: null,
  commentCount: 0,
  stalledAt: null,
  reworkRounds: 0,
  sentBack: 0,
  reopenedAt: null,
  sentBackSha: null,
  sentBackAfter: null,
  workflowRunId: null,
};
const after = (fields: TaskFields, over: Partial<Task> = {}) => {
  const task = { ...base, ...over };
  setFields(task, fields);
  return task;
};

describe('setFields', () => {
  it('sets what is given, leaves the rest, and names what differs', () => {
    const fields = fc.record<TaskFields>(
      {
        title: fc.constantFrom('t', 'u'),
        dueDate: fc.constantFrom(new Date(0), new Date(1), null),
        tags: fc.constantFrom(['a'], ['a', 'b']),
        metadata: fc.constantFrom({ a: { b: 1 } }, { a: { b: 2 } }),
        priority: fc.constantFrom('medium', 'low', undefined),
      },
      { requiredKeys: [] },
    );
    const names = { title: 'title', dueDate: 'due_date', tags: 'tags', metadata: 'metadata', priority: 'priority' };
    fc.assert(
      fc.property(fields, (given) => {
        const task = after(given);
        expect(task).toEqual({ ...base, ...withoutUndefined(given) });
        const differing = Object.entries(names).filter(
          ([key]) => JSON.stringify(task[key as keyof Task]) !== JSON.stringify(base[key as keyof Task]),
        );
        expect(changedFields(base, task).toSorted()).toEqual(differing.map(([, name]) => name).toSorted());
      }),
    );
  });

  it('pins a task to another agent, unpins it for none, and takes the same one for no change', () => {
    expect(after({ assignedAgent: 'agt_2' })).toMatchObject({ assignedAgent: 'agt_2', isPinned: true });
    expect(after({ assignedAgent: null }, { isPinned: true })).toMatchObject({ assignedAgent: null, isPinned: false });
    expect(after({ assignedAgent: 'agt_1' })).toEqual(base);
  });

  it('drops the plan when another role or other capabilities are wanted', () => {
    for (const fields of [{ assignedRole: 'qa' }, { metadata: { required_capabilities: ['sql'] } }])
      expect(after(fields).assignedAgent).toBeNull();
    expect(after({ metadata: { b: 1 } }).assignedAgent).toBe('agt_1');
  });

  it('leaves the agent of a pinned task, and of one that is not to be planned', () => {
    expect(after({ assignedRole: 'qa' }, { isPinned: true }).assignedAgent).toBe('agt_1');
    expect(after({ assignedRole: 'qa' }, { status: 'completed' }).assignedAgent).toBe('agt_1');
  });
});

const withoutUndefined = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
