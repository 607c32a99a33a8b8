import { createTask } from '@eas/tasks';
import { useTestDatabase } from '@eas/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { inboundScene } from './inbound-scene.ts';
import { octokitExamples } from '@eas/source-host/octokit-examples';

const test = useTestDatabase();
let scene: ReturnType<typeof inboundScene>;
beforeAll(() => void (scene = inboundScene(test)));

const opened = octokitExamples('pull_request').filter(({ action }) => action === 'opened');

async function connected(orgName = 'codertocat') {
  const tenantId = await test.createTenant();
  const secret = `secret of ${tenantId}`;
  await scene.connect(tenantId, { type: 'github', org_name: orgName, secret });
  return { tenantId, secret };
}

const eventsOf = (tenantId: string) =>
  test.database.db.query<{ data: Record<string, unknown> }>(
    `SELECT data FROM events WHERE tenant_id = $1 AND event_type = 'pr.opened' ORDER BY event_id`,
    [tenantId],
  );

describe('the source host', () => {
  it('publishes every opened pull request that GitHub shows as an example, each once', async () => {
    const { tenantId, secret } = await connected();
    const numbered = opened.map((example, index) => ({ ...example, number: 100 + index }));
    for (const example of [...numbered, ...numbered])
      expect(await scene.sendSourceHost('pull_request', example, { secret })).toBe('stored');
    await scene.apply(tenantId);
    const published = await eventsOf(tenantId);
    expect(published).toHaveLength(opened.length);
    expect(published[0]?.data).toMatchObject({ repository: 'Codertocat/Hello-World', number: 100, task_id: null });
    const ends = [...numbered.map(() => ({ status: 'applied' })), ...numbered.map(() => ({ status: 'ignored' }))];
    expect(await scene.receipts(tenantId)).toMatchObject(ends);
  });

  it('finds the integration by organisation as by owner of the repository', async () => {
    const { tenantId, secret } = await connected('OctoCoders');
    const ofOrganisation = opened.find((example) => 'organization' in example);
    await scene.sendSourceHost('pull_request', ofOrganisation ?? {}, { secret });
    expect(await scene.receipts(tenantId)).toHaveLength(1);
  });

  it('names the task that the branch names, of this tenant alone', async () => {
    const { tenantId, secret } = await connected();
    const draft = { description: 'x', priority: 'medium' as const, due_date: null, assigned_role: null };
    const more = { assigned_agent: null, tags: [], metadata: {} };
    const own = await createTask(test.context({ tenantId }), { title: 'own', ...draft, ...more });
    const foreign = await createTask(test.context(), { title: 'foreign', ...draft, ...more });
    const example = opened[0] as { pull_request: { head: object } };
    const onBranch = (ref: string, number: number) => ({
      ...example,
      number,
      pull_request: { ...example.pull_request, head: { ...example.pull_request.head, ref } },
    });
    await scene.sendSourceHost('pull_request', onBranch(`fix/${own.id}`, 1), { secret });
    await scene.sendSourceHost('pull_request', onBranch(`fix/${foreign.id}`, 2), { secret });
    await scene.apply(tenantId);
    expect((await eventsOf(tenantId)).map(({ data }) => data['task_id'])).toEqual([own.id, null]);
  });

  it('applies every example of what it follows, and everything once', async () => {
    const tenantId = await test.createTenant();
    const secret = `secret of ${tenantId}`;
    const rules = { labels: { bug: 'rd' }, complete_on_merge: true };
    const { integration } = await scene.connect(tenantId, { type: 'github', org_name: 'any', secret, ...rules });
    const names = ['pull_request', 'pull_request_review', 'check_suite', 'workflow_run', 'issues', 'issue_comment'];
    const sent = names.flatMap((name) => octokitExamples(name).map((example) => [name, example] as const));
    const outcomes = [];
    for (const [name, example] of [...sent, ...sent])
      outcomes.push(await scene.sendSourceHost(name, example, { secret, to: integration.id }));
    expect(new Set(outcomes)).toEqual(new Set(['stored', 'ignored']));
    // Checks whose pull request came behind them are received again.
    for (let time = 0; time < 2; time += 1) await scene.apply(tenantId);
    const receipts = await scene.receipts(tenantId);
    expect(receipts.length).toBeGreaterThan(50);
    const ends = receipts.map(({ event, status }) => `${event} ${/applied|ignored/.test(status) ? 'well' : status}`);
    expect(ends.filter((end) => !end.endsWith(' well'))).toEqual([]);
    expect(new Set(receipts.slice(receipts.length / 2).map(({ status }) => status))).toContain('ignored');
    expect(await eventsOf(tenantId)).toHaveLength(1);
  });

  it('stores a delivery once', async () => {
    const { tenantId, secret } = await connected();
    const headers = { 'x-github-delivery': 'the same' };
    for (let turn = 0; turn < 3; turn += 1)
      await scene.sendSourceHost('pull_request', opened[0] ?? {}, { secret, headers });
    expect(await scene.receipts(tenantId)).toMatchObject([{ repeats: 2 }]);
  });

  it('acknowledges pings and other events without keeping them', async () => {
    const { tenantId, secret } = await connected();
    const assigned = octokitExamples('pull_request').find(({ action }) => action === 'assigned') ?? {};
    expect(await scene.sendSourceHost('pull_request', assigned, { secret })).toBe('ignored');
    expect(
      await scene.sendSourceHost('ping', octokitExamples('ping')[0] ?? {}, { secret: 'x' }).catch((e) => e),
    ).toMatchObject({ code: 'forbidden' });
    const ping = { zen: 'x', repository: { owner: { login: 'Codertocat' } } };
    expect(await scene.sendSourceHost('ping', ping, { secret })).toBe('ignored');
    expect(await scene.receipts(tenantId)).toEqual([]);
  });

  it('refuses a wrong signature, a missing event name and a pull request without its fields', async () => {
    const { secret } = await connected();
    const send = (body: object, sending: object) => scene.sendSourceHost('pull_request', body, sending);
    await expect(send(opened[0] ?? {}, { secret: 'wrong' })).rejects.toMatchObject({ code: 'forbidden' });
    await expect(send(opened[0] ?? {}, {})).rejects.toMatchObject({ code: 'forbidden' });
    const nameless = { secret, headers: { 'x-github-event': '' } };
    await expect(send(opened[0] ?? {}, nameless)).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(send({ ...opened[0], number: '2' }, { secret })).rejects.toMatchObject({ code: 'invalid_request' });
  });
});
