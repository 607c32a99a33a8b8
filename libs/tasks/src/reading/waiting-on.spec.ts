import { taskStatuses } from '@eas/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isFinal } from '../records/tasks/task.ts';
import { waitingOn, type WaitingTask } from './waiting-on.ts';

const now = new Date('2026-11-21T10:00:00Z');
const later = new Date('2026-11-21T11:00:00Z');
const task: WaitingTask = {
  status: 'created',
  since: new Date('2026-11-21T09:00:00Z'),
  isHeld: false,
  notBefore: null,
  assignedAgent: 'agt_1',
  lease: null,
  blockingInput: null,
  review: null,
  budget: null,
};
const since = '2026-11-21T09:00:00Z';
const deadline = '2026-11-21T11:00:00Z';

const moment = fc.date({ min: new Date('2026-01-01'), max: new Date('2027-01-01'), noInvalidDate: true });
const status = fc.constantFrom(...taskStatuses);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary);
const anyTask: fc.Arbitrary<WaitingTask> = fc.record({
  status,
  since: moment,
  isHeld: fc.boolean(),
  notBefore: maybe(moment),
  assignedAgent: maybe(fc.constant('agt_1')),
  lease: maybe(fc.record({ expiresAt: maybe(moment), reviveUntil: maybe(moment) })),
  blockingInput: maybe(fc.record({ id: fc.constant('inp_1'), expiresAt: moment })),
  review: maybe(fc.record({ id: fc.constant('tsk_2'), status, since: moment })),
  budget: maybe(fc.record({ id: fc.constant('bud_1'), since: moment, endsAt: moment })),
});

describe('waitingOn', () => {
  it('names a person, agent or reason for every task that is not final, and none for a final one', () => {
    fc.assert(
      fc.property(anyTask, moment, (one, at) => {
        expect(waitingOn(one, at) === null).toBe(isFinal(one.status));
      }),
    );
  });

  it.each<[string, Partial<WaitingTask>, object]>([
    ['an agent to claim it', {}, { kind: 'agent', id: 'agt_1', since, deadline: null }],
    ['any agent where none is planned', { assignedAgent: null }, { kind: 'agent', id: null, since, deadline: null }],
    [
      'the end of a budget’s period',
      { budget: { id: 'bud_1', since: task.since, endsAt: later } },
      { kind: 'budget', id: 'bud_1', deadline },
    ],
    ['the platform that holds it', { isHeld: true, notBefore: later }, { kind: 'external', id: null, deadline: null }],
    ['the end of a pause', { status: 'open', notBefore: later }, { kind: 'timer', id: null, since, deadline }],
    [
      'no pause that is over, and an agent since then',
      { status: 'open', notBefore: now },
      { kind: 'agent', id: 'agt_1', since: '2026-11-21T10:00:00Z' },
    ],
    [
      'the agent that holds it',
      { status: 'in_progress', lease: { expiresAt: later, reviveUntil: null } },
      { kind: 'agent', id: 'agt_1', since, deadline },
    ],
    [
      'the person who is asked',
      {
        status: 'blocked',
        lease: { expiresAt: null, reviveUntil: null },
        blockingInput: { id: 'inp_1', expiresAt: later },
      },
      { kind: 'person', id: 'inp_1', since, deadline },
    ],
    [
      'the agent that got its answer, since then',
      { status: 'blocked', lease: { expiresAt: null, reviveUntil: later } },
      { kind: 'agent', id: 'agt_1', since: '2026-11-21T10:50:00Z', deadline },
    ],
    [
      'its review',
      { status: 'in_review', review: { id: 'tsk_2', status: 'blocked', since: later } },
      { kind: 'dependency', id: 'tsk_2', since, deadline: null },
    ],
    [
      'a person where the review ended without a decision',
      { status: 'in_review', review: { id: 'tsk_2', status: 'failed', since: now } },
      { kind: 'person', id: null, since: '2026-11-21T10:00:00Z', deadline: null },
    ],
    ['a person where no agent could review', { status: 'in_review' }, { kind: 'person', id: null }],
  ])('names %s', (_, changed, expected) => {
    expect(waitingOn({ ...task, ...changed }, now)).toMatchObject(expected);
  });
});
