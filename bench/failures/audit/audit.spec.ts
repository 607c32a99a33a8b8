import { describe, expect, it } from '@jest/globals';
import { audit } from './audit.ts';
import type { AuditInput } from './audit-input.ts';
import type { Facts } from './facts.ts';

const task = (id: string, name: string): Facts['tasks'][number] => ({
  ...{ id, name, status: 'completed', completedBy: 'agt_1', lostLeases: 0, runId: null },
  ...{ summary: `done ${id}`, mark: `mark ${id}` },
});
const lease = (id: string, taskId: string, token: number, endedAt: number): Facts['leases'][number] => ({
  ...{ id, taskId, agentId: 'agt_1', token, endedAt, endReason: 'completed' },
});
const received = (id: string, type: string, taskId: string, ...times: number[]) => ({ id, type, taskId, times });
const rollup = { day: '2026-11-01', role: 'rd', total: 2 } as unknown as Facts['rollups'][number];
const claim = { leaseId: 'lse_1', taskId: 'tsk_1', agentId: 'agt_1', token: 1, answeredAt: 10_000 };
const report = { taskId: 'tsk_1', token: 1, sentAt: 20_000 };
const step = { ...task('tsk_3', 'run one first'), runId: 'run_1' };

/** A run in which everything is as clients were answered: a task, a webhook's task, and a run of one step. */
const good: AuditInput = {
  journal: {
    tasks: [{ id: 'tsk_1', name: 'task one' }],
    runs: [{ id: 'run_1', name: 'run one' }],
    receipts: ['two'],
    claims: [claim],
    progress: [{ ...report, milestone: 'half' }],
    completions: [{ ...report, agentId: 'agt_1', summary: 'done tsk_1', mark: 'mark tsk_1' }],
  },
  counts: { requests: 100, completions: 1, errors: {}, refusals: { '409 lease_lost': 1 }, givenUp: 0 },
  facts: {
    tasks: [task('tsk_1', 'task one'), task('tsk_2', 'receipt two'), step],
    runs: [{ id: 'run_1', name: 'run one', status: 'completed' }],
    leases: [lease('lse_1', 'tsk_1', 1, 20)],
    milestones: [{ taskId: 'tsk_1', name: 'half' }],
    links: [{ externalId: 'two', taskId: 'tsk_2' }],
    events: [{ id: 'evt_1' }, { id: 'evt_2' }, { id: 'evt_3' }],
    deliveries: ['evt_1', 'evt_2', 'evt_3'].map((id) => ({ id, status: 'delivered', attempts: 1 })),
    received: [
      received('evt_1', 'task.created', 'tsk_1', 11_000),
      received('evt_2', 'task.created', 'tsk_2', 12_000),
      received('evt_3', 'task.completed', 'tsk_1', 20_000),
    ],
    backlog: { pending: 0, dead: 0 },
    unmatched: [],
    rollups: [rollup],
    recounted: [rollup],
  },
  faults: [{ from: 100_000, to: 110_000 }],
  cuts: [],
  leaseSeconds: 20,
};

const withFacts = (facts: Partial<Facts>): AuditInput => ({ ...good, facts: { ...good.facts, ...facts } });
const withTask = (change: Partial<Facts['tasks'][number]>) =>
  withFacts({ tasks: good.facts.tasks.map((one) => (one.id === 'tsk_1' ? { ...one, ...change } : one)) });
const withReceived = (...times: number[]) =>
  withFacts({
    received: good.facts.received.map((one) => (one.id === 'evt_1' ? { ...one, times } : one)),
  });
const wrongOf = (input: AuditInput): string[] =>
  audit(input)
    .filter(({ wrong }) => wrong > 0)
    .map(({ what }) => what.replace(/ \(\d+\)/, ''));

describe('the audit of a run', () => {
  it('finds nothing where all is as clients were answered', () => {
    expect(wrongOf(good)).toEqual([]);
  });

  const [first, second, run] = good.facts.tasks as [Facts['tasks'][number], Facts['tasks'][number], typeof step];
  const noRows = { ...first, id: 'tsk_9', name: 'task nine' };
  it.each<[string, AuditInput]>([
    [
      'tasks that were acknowledged exist',
      { ...good, journal: { ...good.journal, tasks: [{ id: 'tsk_1', name: 'another name' }] } },
    ],
    ['no task was made twice', withFacts({ tasks: [first, second, run, { ...run, id: 'tsk_4' }] })],
    [
      'tasks are completed, or failed when 3 leases were lost',
      withFacts({ tasks: [first, second, run, { ...noRows, status: 'open' }] }),
    ],
    [
      'tasks are completed, or failed when 3 leases were lost',
      withFacts({ tasks: [first, second, run, { ...noRows, status: 'failed', lostLeases: 2 }] }),
    ],
    [
      'runs that were acknowledged exist',
      { ...good, journal: { ...good.journal, runs: [{ id: 'run_9', name: 'run' }] } },
    ],
    [
      'no run was started twice',
      withFacts({ runs: [...good.facts.runs, { id: 'run_2', name: 'run one', status: 'completed' }] }),
    ],
    [
      'runs are completed, or failed with one of their tasks',
      withFacts({ runs: [{ id: 'run_1', name: 'run one', status: 'failed' }] }),
    ],
    [
      'webhooks that were acknowledged made their tasks',
      withFacts({ tasks: [first, { ...second, name: 'receipt other' }, run] }),
    ],
    ['claims that were acknowledged have their leases', withFacts({ leases: [{ ...lease('lse_1', 'tsk_1', 2, 20) }] })],
    ['progress that was acknowledged is in the timeline', withFacts({ milestones: [] })],
    ['acknowledged completions are stored, with their results', withTask({ completedBy: 'agt_2' })],
    ['acknowledged completions are stored, with their results', withTask({ summary: 'something else' })],
    ['acknowledged completions are stored, with their results', withTask({ mark: null })],
    [
      'no task was completed by two agents',
      {
        ...good,
        journal: { ...good.journal, completions: [...good.journal.completions, ...good.journal.completions] },
      },
    ],
    ['every event has a delivery', withFacts({ events: [...good.facts.events, { id: 'evt_4' }] })],
    [
      'every delivery has ended well',
      withFacts({ deliveries: good.facts.deliveries.map((one) => ({ ...one, status: 'dead' })) }),
    ],
    [
      'the receiver got every delivery',
      withFacts({ deliveries: [...good.facts.deliveries, { id: 'evt_4', status: 'delivered', attempts: 1 }] }),
    ],
    ['no event is pending', withFacts({ backlog: { pending: 1, dead: 0 } })],
    ['no event is dead', withFacts({ backlog: { pending: 0, dead: 1 } })],
    ['a task has a lease exactly while it is worked on', withFacts({ unmatched: ['tsk_1'] })],
    ['figures are what counting again gives', withFacts({ rollups: [] })],
    ['figures are what counting again gives', withFacts({ rollups: [rollup, { ...rollup, role: 'qa' }] })],
    ['no request was given up', { ...good, counts: { ...good.counts, givenUp: 1 } }],
    [
      'clients were refused only leases that they had lost or already held',
      { ...good, counts: { ...good.counts, refusals: { '429 rate_limited': 1 } } },
    ],
  ])('finds that it is not so: %s', (what, input) => {
    expect(wrongOf(input)).toEqual([what]);
  });

  it('finds an acknowledged task or completion of which the receiver got no event', () => {
    const [created, , completed] = good.facts.received;
    const only = (...events: (typeof created)[]) =>
      withFacts({ received: events.flatMap((event) => event ?? []), deliveries: [], events: [] });
    expect(wrongOf(only(completed))).toEqual([
      'task.created of each acknowledged task was received',
      'what it got again is explained',
    ]);
    expect(wrongOf(only(created))).toContain('task.completed of each acknowledged completion was received');
  });

  it('finds what was accepted under a lease after a later one was acknowledged', () => {
    const later = (answeredAt: number): AuditInput => ({
      ...withFacts({ leases: [...good.facts.leases, lease('lse_2', 'tsk_1', 2, 30)] }),
      journal: { ...good.journal, claims: [claim, { ...claim, leaseId: 'lse_2', token: 2, answeredAt }] },
    });
    expect(wrongOf(later(19_000))).toEqual(['nothing was accepted under a lease after a later one was acknowledged']);
    expect(wrongOf(later(21_000))).toEqual([]);
  });

  const again = 'what it got again is explained';
  it('takes a second request for explained by a recorded attempt, or by a cut that came just after the first', () => {
    expect(wrongOf(withReceived(11_000, 50_000))).toEqual([again]);
    const attempts = good.facts.deliveries.map((one) => ({ ...one, attempts: 2 }));
    const recorded = withReceived(11_000, 50_000);
    expect(wrongOf({ ...recorded, facts: { ...recorded.facts, deliveries: attempts } })).toEqual([]);
    expect(wrongOf({ ...withReceived(11_000, 50_000), cuts: [{ from: 11_500, to: 11_500 }] })).toEqual([]);
    expect(wrongOf({ ...withReceived(11_000, 50_000), cuts: [{ from: 50_000, to: 50_000 }] })).toEqual([again]);
  });

  it('takes one cut for one more request', () => {
    const cut = { from: 11_500, to: 11_500 };
    expect(wrongOf({ ...withReceived(11_000, 12_000, 50_000), cuts: [cut] })).toEqual([again]);
    expect(wrongOf({ ...withReceived(11_000, 12_000, 50_000), cuts: [cut, { from: 12_500, to: 12_500 }] })).toEqual([]);
  });

  it('takes leases for lost by a fault until they are swept after it', () => {
    const lost = (endedAt: number) =>
      withFacts({ leases: [{ ...lease('lse_1', 'tsk_1', 1, endedAt), endReason: 'expired' }] });
    expect(wrongOf(lost(105_000))).toEqual([]);
    expect(wrongOf(lost(159_000))).toEqual([]);
    expect(wrongOf(lost(99_000))).toEqual(['leases were lost by faults alone']);
    expect(wrongOf(lost(161_000))).toEqual(['leases were lost by faults alone']);
  });
});
