import { defaultTenantId, type WorkflowDefinition } from '@eas/contracts';
import { createAgent, removeAgent } from '@eas/tasks';
import { useTestDatabase } from '@eas/testing';
import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  changeWorkflow,
  createWorkflow,
  ensureShippedWorkflows,
  getWorkflow,
  listWorkflows,
  type ShippedDefinition,
} from '../index.ts';
import { findDefinition } from './find-definition.ts';
import { readDefinition } from './read-definition.ts';

const test = useTestDatabase();
const step = (id: string, needs: string[] = []) => ({
  id,
  name: id,
  role: 'rd',
  needs,
  task: { title: 't', description: 'd' },
});
const body = (more: object = {}): WorkflowDefinition =>
  readDefinition({ name: 'w', description: 'd', estimated_duration: '1 day', steps: [step('a')], ...more });
const ada = () => test.context({ actor: { id: 'usr_ada' } });
const versions = (id: string) =>
  test.database.db.query<{ version: number; name: string; by: string }>(
    `SELECT version, definition ->> 'name' AS name, created_by AS by FROM workflow_versions
     WHERE tenant_id = $1 AND workflow_id = $2 ORDER BY version`,
    [defaultTenantId, id],
  );

describe('a workflow', () => {
  it('is read as it was created', async () => {
    const made = await createWorkflow(ada(), body({ steps: [step('a'), step('b', ['a'])] }));
    expect(made).toMatchObject({ version: 1, body: { name: 'w', steps: 2, version: 1, estimated_duration: '1 day' } });
    expect(await getWorkflow(ada(), made.body.id)).toEqual({ ...made, body: JSON.parse(JSON.stringify(made.body)) });
    expect(await versions(made.body.id)).toEqual([{ version: 1, name: 'w', by: 'usr_ada' }]);
  });

  it('keeps free-form values unchanged, whatever their keys', async () => {
    const metadata = {
      constructor: { a: 1 },
      beside: { $type: 'Json', value: '1' },
      set: { $type: 'Raw', value: null },
    };
    const task = { ...step('a').task, metadata };
    const { body: made } = await createWorkflow(ada(), body({ steps: [{ ...step('a'), task }] }));
    expect((await getWorkflow(ada(), made.id)).body.definition.steps[0]?.task.metadata).toEqual(metadata);
  });

  it('has its former versions for the runs that started with them', async () => {
    const { body: made } = await createWorkflow(ada(), body());
    const patch = { name: 'changed', steps: body({ steps: [step('a'), step('b', ['a'])] }).steps };
    const changed = await changeWorkflow(ada(), { workflowId: made.id, body: patch });
    expect(changed).toMatchObject({ version: 2, body: { name: 'changed', description: 'd', steps: 2, version: 2 } });
    const find = async (version: number) => (await findDefinition(ada(), { workflowId: made.id, version }))?.definition;
    expect([await find(1), await find(2)].map((found) => found?.name)).toEqual(['w', 'changed']);
    expect(await find(3)).toBeUndefined();
    expect((await listWorkflows(ada(), { id: made.id })).items[0]).toMatchObject({ name: 'changed', steps: 2 });
  });

  it('gets no version from a change that changes nothing', async () => {
    const { body: made } = await createWorkflow(ada(), body({ parameters: { x: { type: 'string' } } }));
    const patch = { name: 'w', steps: 1, parameters: { x: { required: null, description: null }, y: null } };
    expect((await changeWorkflow(ada(), { workflowId: made.id, body: patch })).version).toBe(1);
    expect(await versions(made.id)).toHaveLength(1);
  });

  it('keeps of its parameters what a patch does not name', async () => {
    const parameters = { x: { type: 'string', enum: ['a'] }, y: { type: 'number' } };
    const { body: made } = await createWorkflow(ada(), body({ parameters }));
    const patch = { parameters: { x: { required: true, enum: null }, y: null, z: { type: 'boolean' as const } } };
    const changed = await changeWorkflow(ada(), { workflowId: made.id, body: patch });
    expect(changed.body.definition.parameters).toEqual({
      x: { type: 'string', required: true },
      z: { type: 'boolean', required: false },
    });
  });

  it.each([
    ['a parameter without a type', { parameters: { new: { required: true } } }, 'parameters.new.type', 'required'],
    [
      'too many parameters',
      { parameters: Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`p${n}`, { type: 'string' as const }])) },
      'parameters',
      'max_length',
    ],
    ['steps that dangle', { steps: [{ ...step('a'), needs: ['x'] }] }, 'steps.0.needs.0', 'exists'],
  ])('is not changed into one with %s', async (_what, patch, field, constraint) => {
    const { body: made } = await createWorkflow(ada(), body({ parameters: { own: { type: 'string' } } }));
    const change = changeWorkflow(ada(), { workflowId: made.id, body: patch as never });
    await expect(change).rejects.toMatchObject({ code: 'invalid_input', violations: [{ field, constraint }] });
    expect(await versions(made.id)).toHaveLength(1);
  });

  it('changed by many at once has a version of each', async () => {
    const { body: made } = await createWorkflow(ada(), body());
    const names = Array.from({ length: 6 }, (_, n) => `name ${n}`);
    await Promise.all(names.map((name) => changeWorkflow(ada(), { workflowId: made.id, body: { name } })));
    expect((await versions(made.id)).map(({ version }) => version)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('changed on an older version is 412 for all but the first', async () => {
    const { body: made } = await createWorkflow(ada(), body());
    const change = (name: string) => changeWorkflow(ada(), { workflowId: made.id, ifMatch: [1], body: { name } });
    const outcomes = await Promise.allSettled([change('one'), change('two'), change('three')]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ status: 412 });
    expect(await versions(made.id)).toHaveLength(2);
  });

  it('accepts only an existing agent as approver', async () => {
    const agent = await createAgent(ada(), { name: 'Ada', role: 'rd', capabilities: [], max_concurrent_tasks: 1 });
    const approvedBy = (agent_id: string) => body({ steps: [{ ...step('a'), approval: { agent_id } }] });
    const { body: made } = await createWorkflow(ada(), approvedBy(agent.id));
    expect(made.definition.steps[0]?.approval).toEqual({ agent_id: agent.id });
    await expect(createWorkflow(ada(), approvedBy('agt_none'))).rejects.toMatchObject({
      violations: [{ field: 'steps.0.approval.agent_id', constraint: 'format' }],
    });
  });

  it('whose approver was removed is still changed in other parts, and names it for no other step', async () => {
    const agent = await createAgent(ada(), { name: 'Ada', role: 'rd', capabilities: [], max_concurrent_tasks: 1 });
    const approval = { agent_id: agent.id };
    const { body: made } = await createWorkflow(ada(), body({ steps: [{ ...step('a'), approval }] }));
    await removeAgent(ada(), { agentId: agent.id });
    const change = (patch: object) => changeWorkflow(ada(), { workflowId: made.id, body: patch });
    expect((await change({ description: 'Another.' })).body.definition).toMatchObject({ steps: [{ approval }] });
    const steps = [
      { ...step('a'), approval },
      { ...step('b', ['a']), approval },
    ];
    await expect(change({ steps })).rejects.toMatchObject({ violations: [{ field: 'steps.1.approval.agent_id' }] });
  });

  it('belongs to its tenant: another one has none of that id, of any version', async () => {
    const { body: made } = await createWorkflow(ada(), body());
    await findDefinition(ada(), { workflowId: made.id, version: 1 });
    const other = test.context({ tenantId: await test.createTenant() });
    expect(await findDefinition(other, { workflowId: made.id, version: 1 })).toBeUndefined();
    await expect(getWorkflow(other, made.id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(changeWorkflow(other, { workflowId: made.id, body: { name: 'x' } })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect((await listWorkflows(other, {})).items).toEqual([]);
  });
});

describe('the workflows that come with the service', () => {
  const shipped = (name: string): ShippedDefinition[] => [{ shippedAs: 'own', definition: body({ name }) }];
  let tenantId: string;
  const ctx = () => test.context({ tenantId });
  const current = async () =>
    (await listWorkflows(ctx(), {})).items.map(async ({ id }) => (await getWorkflow(ctx(), id)).body);
  const shown = async () => (await Promise.all(await current())).map(({ name, version }) => [name, version]);
  beforeEach(async () => {
    tenantId = await test.createTenant();
  });

  it('exist once, even if several processes start at the same time', async () => {
    await Promise.all([1, 2, 3].map(() => ensureShippedWorkflows(ctx(), shipped('first'))));
    expect(await shown()).toEqual([['first', 1]]);
  });

  it('get a further version when their file changes', async () => {
    await ensureShippedWorkflows(ctx(), shipped('first'));
    await ensureShippedWorkflows(ctx(), shipped('second'));
    await ensureShippedWorkflows(ctx(), shipped('second'));
    expect(await shown()).toEqual([['second', 2]]);
  });

  it('stay as they are once the tenant has changed them', async () => {
    await ensureShippedWorkflows(ctx(), shipped('first'));
    const [{ id } = { id: '' }] = (await listWorkflows(ctx(), {})).items;
    const own = test.context({ tenantId, actor: { id: 'usr_ada' } });
    await changeWorkflow(own, { workflowId: id, body: { name: 'ours' } });
    await ensureShippedWorkflows(ctx(), shipped('second'));
    expect(await shown()).toEqual([['ours', 2]]);
  });
});
