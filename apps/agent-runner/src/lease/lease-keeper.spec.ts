import { setTimeout as sleep } from 'node:timers/promises';
import type { Directive } from '@eas/contracts';
import { eventually } from '@eas/testing/eventually';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { ApiResponse, Call } from '../api/api.ts';
import { createMask } from '../key/mask.ts';
import type { Order } from './inbox.ts';
import { keepLease, type LeaseKeeper } from './lease-keeper.ts';

const keepers: LeaseKeeper[] = [];
afterEach(() => keepers.splice(0).forEach((keeper) => keeper.stop()));

const at = (ms: number) => new Date(Date.now() + ms).toISOString();
const success = (body: object): ApiResponse => ({
  status: 200,
  body: { expires_at: at(60_000), directives: [], ...body },
  error: undefined,
  sentAtMs: performance.now(),
  cameAtMs: performance.now(),
  dateMs: Date.now(),
});
const refusal = (
  status: number,
  constraint: 'lease_lost' | 'limit' | 'state',
  directives: Directive[] = [],
  field = 'lease_id',
): ApiResponse => {
  const details = { field, constraint };
  const error = { code: 'conflict' as const, message: 'no', details, request_id: 'req_1', directives };
  return { ...success({}), status, body: { error }, error };
};
const message: Order = { id: 'dir_1', kind: 'message', content: 'Stop.' };

/** A keeper of a lease of `leaseMs` whose service responds with what `reply` returns; calls are kept. */
function scene(
  reply: (call: Call, signal: AbortSignal) => Promise<ApiResponse> | ApiResponse,
  leaseMs = 60_000,
  orders: Order[] = [],
  waitedMs = 0,
  checkMs = 30,
) {
  const calls: Call[] = [];
  const delivered: Order[] = [];
  const api = async (call: Call, signal: AbortSignal) => {
    calls.push(call);
    return reply(call, signal);
  };
  const deliver = async (order: Order) => void delivered.push(order);
  const lease = { lease_id: 'lse_1', fencing_token: 7, expires_at: at(leaseMs) };
  const parts = { api, deliver, log: () => {}, mask: createMask(['sk-0123456789']), checkMs, onChange: () => {} };
  const keeper = keepLease(
    parts,
    { lease, directives: orders },
    { ...success({}), sentAtMs: performance.now() - waitedMs },
  );
  keepers.push(keeper);
  const verbs = () => calls.map(({ path }) => path.split('/').at(-1));
  return { keeper, calls, delivered, verbs };
}

describe('a lease that is kept', () => {
  it('begins with the response to its claim, however long that waited', async () => {
    const { keeper } = scene(() => success({}), 60_000, [], 120_000);
    await sleep(20);
    expect([keeper.state(), keeper.lost.aborted]).toEqual(['running', false]);
  });

  it('is renewed again and again with its token, until it is released', async () => {
    const { keeper, calls, verbs } = scene(() => success({}));
    await eventually(() => calls.length > 1);
    keeper.stop();
    const count = calls.length;
    expect(new Set(verbs())).toEqual(new Set(['heartbeat']));
    expect(calls[0]).toMatchObject({ path: '/v1/leases/lse_1/heartbeat', body: { fencing_token: 7 } });
    await sleep(60);
    expect(calls).toHaveLength(count);
  });

  it('gets no secret in what an agent says, and patches as they are', async () => {
    const { keeper, calls } = scene(() => success({}));
    const secret = 'sk-0123456789';
    await keeper.call('inputs', { kind: 'question', prompt: `Is ${secret} right?` });
    await keeper.call('complete', { summary: secret, result: { key: [secret] } });
    await keeper.call('artifacts', { kind: 'diff', content: secret });
    const bodies = calls.filter(({ path }) => !path.endsWith('heartbeat')).map(({ body }) => body);
    expect(bodies).toMatchObject([
      { fencing_token: 7, kind: 'question', prompt: 'Is *** right?' },
      { summary: '***', result: { key: ['***'] } },
      { content: secret },
    ]);
  });

  it('stops waiting when it is released while a person is asked', async () => {
    const signals: AbortSignal[] = [];
    const { keeper, verbs } = scene(({ path }, signal) => {
      if (!path.endsWith('/acknowledge')) return success({ expires_at: null });
      signals.push(signal);
      return new Promise((_, fail) => signal.addEventListener('abort', fail));
    });
    await keeper.call('inputs', {});
    await eventually(() => verbs().includes('acknowledge'));
    keeper.stop();
    await sleep(60);
    expect(signals.map(({ aborted }) => aborted)).not.toContain(false);
    expect(verbs().filter((verb) => verb === 'acknowledge')).toHaveLength(1);
  });

  it('counts as lost when it could not be renewed in time', async () => {
    const { keeper } = scene((_, signal) => new Promise((_, fail) => signal.addEventListener('abort', fail)), 60);
    await eventually(() => keeper.lost.aborted);
    expect([keeper.state(), keeper.lost.reason]).toEqual(['lost', 'the lease could not be renewed in time']);
    expect(await keeper.call('complete', {})).toMatchObject({ kind: 'lost' });
  });

  it('is lost with any call that says so', async () => {
    const { keeper } = scene(() => refusal(409, 'lease_lost'));
    expect(await keeper.call('progress', {})).toEqual({ kind: 'lost', reason: 'the lease is lost' });
    expect(keeper.lost.aborted).toBe(true);
  });

  it('passes each directive on once, and acknowledges it', async () => {
    let open: Order[] = [message];
    const reply = ({ path }: Call) => {
      if (path.endsWith('/acknowledge')) open = [];
      return success({ directives: open });
    };
    const { delivered, calls } = scene(reply, 60_000, [message]);
    // A beat after it: by then it would have been passed on and acknowledged again.
    await eventually(() => calls.at(-1)?.path.endsWith('/heartbeat') === true && calls.length > 2);
    expect(delivered).toEqual([message]);
    const acknowledged = calls.filter(({ path }) => path.endsWith('/acknowledge'));
    expect(acknowledged.map(({ body }) => body)).toEqual([{ fencing_token: 7, directive_ids: ['dir_1'] }]);
  });

  it('acknowledges repeated directives again, and passes none on twice', async () => {
    const { delivered, verbs } = scene(() => success({ directives: [message] }));
    await eventually(() => verbs().filter((verb) => verb === 'acknowledge').length > 1);
    expect(delivered).toEqual([message]);
  });

  it('ends with the directive to cancel, which is acknowledged and not passed on', async () => {
    const cancel = { id: 'dir_2', kind: 'cancel' as const, reason: 'Not needed.', created_at: at(0) };
    const lost = refusal(409, 'lease_lost', [cancel]);
    const { keeper, delivered, verbs } = scene(() => lost);
    await eventually(() => keeper.lost.aborted && verbs().includes('acknowledge'));
    expect(keeper.lost.reason).toBe('cancel: Not needed.');
    expect([delivered, verbs()]).toEqual([[], ['heartbeat', 'acknowledge']]);
  });

  it('is parked by a question, waits for a slot with its answer, and goes on', async () => {
    let reply = success({ expires_at: null });
    const { keeper } = scene(() => reply);
    await keeper.call('inputs', {});
    expect(keeper.state()).toBe('parked');
    const running = keeper.running(new AbortController().signal).then(() => 'runs');
    reply = refusal(409, 'limit');
    await eventually(() => keeper.state() === 'answered');
    const first = await Promise.race([running, sleep(1, 'waits')]);
    expect([keeper.state(), first]).toEqual(['answered', 'waits']);
    reply = success({});
    expect(await running).toBe('runs');
  });

  it('gets the answer at once, even with long polling intervals', async () => {
    let isAnswered = false;
    let answer = () => {};
    const answered = new Promise<void>((done) => (answer = done)).then(() => (isAnswered = true));
    const order: Order = { id: 'dir_1', kind: 'answer', answer: 'main' };
    const reply = async ({ path, body }: Call) => {
      if (path.endsWith('/inputs')) return success({ expires_at: null });
      if (!('wait_seconds' in (body ?? {}))) return success(isAnswered ? {} : { expires_at: null });
      await answered;
      return success({ directives: [order] });
    };
    const { keeper, delivered, calls } = scene(reply);
    await keeper.call('inputs', {});
    await eventually(() => calls.some(({ body }) => 'wait_seconds' in (body ?? {})));
    const before = calls.length;
    await sleep(100);
    expect(calls).toHaveLength(before);
    answer();
    await eventually(() => keeper.state() === 'running' && delivered.length === 1);
    expect(delivered).toEqual([order]);
  });

  it('waits for the answer as soon as a person was asked, even with long heartbeat intervals', async () => {
    const order: Order = { id: 'dir_1', kind: 'answer', answer: 'main' };
    const reply = ({ path, body }: Call) => {
      if (path.endsWith('/inputs')) return success({ expires_at: null });
      return success('wait_seconds' in (body ?? {}) ? { directives: [order] } : {});
    };
    const { keeper, verbs } = scene(reply, 60_000, [], 0, 60_000);
    await keeper.call('inputs', {});
    await eventually(() => keeper.state() === 'running');
    expect(verbs().filter((verb) => verb !== 'acknowledge')).toEqual(['inputs']);
  });

  it('polls with heartbeats where the service has no long poll', async () => {
    let isAnswered = false;
    const tooMany = refusal(409, 'limit', [], 'wait_seconds');
    const { keeper, verbs } = scene(({ path }) =>
      path.endsWith('/acknowledge') ? tooMany : success(isAnswered ? {} : { expires_at: null }),
    );
    await keeper.call('inputs', {});
    await eventually(() => verbs().filter((verb) => verb === 'heartbeat').length > 2);
    expect(keeper.state()).toBe('parked');
    isAnswered = true;
    await eventually(() => keeper.state() === 'running');
  });

  it('ends the waiting calls when it is cancelled', async () => {
    const { keeper } = scene(() => success({ expires_at: null }));
    await keeper.call('inputs', {});
    await keeper.running(AbortSignal.timeout(20));
    expect(keeper.state()).toBe('parked');
  });

  it('stays when a call is refused for another reason', async () => {
    const { keeper } = scene(() => refusal(409, 'state'));
    expect(await keeper.call('complete', {})).toMatchObject({ kind: 'refused', error: { message: 'no' } });
    expect([keeper.state(), keeper.lost.aborted]).toEqual(['running', false]);
  });
});

describe('a report', () => {
  it('is sent also when the lease is lost, and gives the response', async () => {
    const { keeper, calls } = scene(({ path }) =>
      path.endsWith('usage') ? success({ exhausted: null }) : refusal(409, 'lease_lost'),
    );
    await keeper.call('progress', {});
    expect(keeper.state()).toBe('lost');
    expect(await keeper.report('model-calls/usage', { call_id: '1' })).toMatchObject({ exhausted: null });
    expect(calls.at(-1)).toMatchObject({ path: '/v1/leases/lse_1/model-calls/usage', body: { fencing_token: 7 } });
    expect(keeper.state()).toBe('lost');
  });
});
