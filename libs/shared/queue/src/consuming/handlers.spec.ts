import { describe, expect, it } from '@jest/globals';
import { checkHandlers, consumeEvents, type Handlers } from './handlers.ts';
import { groupByQueue } from '../backends/open-queues.ts';

const nothing = async () => {};

const complete: Handlers<'workflow'> = {
  'plan.follow': consumeEvents('plan.follow', nothing),
  'task.plan': consumeEvents('task.plan', nothing),
  'run.advance': consumeEvents('run.advance', nothing),
  'inbound.apply': consumeEvents('inbound.apply', nothing),
  'tell.follow': consumeEvents('tell.follow', nothing),
  'platform.tell': consumeEvents('platform.tell', nothing),
  'platform.hear': consumeEvents('platform.hear', nothing),
  'pull_request.open': consumeEvents('pull_request.open', nothing),
};
// @ts-expect-error a job of the queue has no handler
const incomplete: Handlers<'workflow'> = { 'task.plan': consumeEvents('task.plan', nothing) };
const foreign: Handlers<'analytics'> = {
  'facts.record': consumeEvents('facts.record', nothing),
  // @ts-expect-error a job of another queue
  'task.plan': consumeEvents('task.plan', nothing),
};
const misnamed: Handlers<'analytics'> = {
  // @ts-expect-error a consumer under another's name
  'facts.record': consumeEvents('task.plan', nothing),
};
/** For the compiler alone. @public */
export const bare: Handlers<'analytics'> = {
  // @ts-expect-error an event consumer that would not go through the outbox
  'facts.record': nothing,
};

describe('handlers of a queue', () => {
  it('are accepted when each job has one', () => {
    expect(() => checkHandlers('workflow', complete)).not.toThrow();
  });

  it.each([
    ['a missing handler', 'workflow', incomplete, 'inbound.apply'],
    ['a foreign handler', 'analytics', foreign, 'task.plan'],
    ['a misnamed consumer', 'analytics', misnamed, 'facts.record'],
  ] as const)('stop the boot for %s', (_, queue, handlers, named) => {
    expect(() => checkHandlers(queue, handlers)).toThrow(named);
  });
});

describe('jobs on their way into queues', () => {
  it('are grouped by queue with the tries of the catalogue and bounded retention', () => {
    const payload = { tenant_id: 'tnt_a', event_ids: ['evt_1'] };
    const groups = groupByQueue([
      { job: 'task.plan', payload },
      { job: 'facts.record', payload },
      { job: 'inbound.apply', payload },
    ]);
    expect([...groups].map(([queue, jobs]) => [queue, jobs.map(({ name }) => name)])).toEqual([
      ['workflow', ['task.plan', 'inbound.apply']],
      ['analytics', ['facts.record']],
    ]);
    expect(groups.get('analytics')?.[0]?.opts).toMatchObject({
      attempts: 1,
      removeOnComplete: { count: 100 },
      removeOnFail: { count: 1_000 },
    });
  });

  it('are refused when a payload does not match its schema', () => {
    expect(() => groupByQueue([{ job: 'task.plan', payload: { tenant_id: 'tnt_a', event_ids: [] } }])).toThrow(
      /event_ids/,
    );
  });
});
