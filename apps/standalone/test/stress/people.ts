import type { PatientClient } from '../patient-client.ts';
import { anyOf, isActing, oneIn, pause, type StressAgent, taken, type World } from './world.ts';

const roles = ['rd', 'qa', 'pm'];
/** Whatever a task of the stress asks for. */
const everyCapability = ['typescript'];
const priorities = ['low', 'medium', 'high', 'urgent', 'critical'];
/** More unfinished tasks than this are not asked for. */
const maxBacklog = 300;

/** Does what people do, one thing after another, until the world is over. */
export async function liveAsPerson(world: World, clientOf: ClientOf): Promise<void> {
  while (isActing(world)) {
    if (world.phase === 'wild') await actWildly(world, clientOf);
    else await tidyUp(world);
    await pause(20 + Math.random() * 80);
  }
}

/**
 * One agent of each role that is able to do any task of its role: without it a task may have no agent that can end it.
 */
export const ableOfEachRole = () => roles.map((role) => ({ role, capabilities: everyCapability }));

type ClientOf = (apiKey: string) => PatientClient;

/** Hires an agent of any role, able or not, unless it is said which. */
export async function hire(
  world: World,
  clientOf: ClientOf,
  { role, capabilities }: Pick<StressAgent, 'role' | 'capabilities'> = {
    role: anyOf(roles) ?? 'rd',
    capabilities: oneIn(2) ? everyCapability : [],
  },
): Promise<StressAgent | undefined> {
  const body = { name: `${role} of the stress`, role, capabilities, max_concurrent_tasks: oneIn(3) ? 2 : 1 };
  const made = taken(world, 'hire', await world.client.post('/v1/agents', body));
  if (!made) return undefined;
  const key = taken(world, 'key', await world.client.post(`/v1/agents/${made.id}/keys`, { name: 'own' }));
  if (!key) return undefined;
  const agent = { id: made.id, role, capabilities, client: clientOf(key.key) };
  world.agents.push(agent);
  return agent;
}

async function actWildly(world: World, clientOf: ClientOf): Promise<void> {
  const drawn = Math.random();
  if (drawn < 0.45) return create(world);
  if (drawn < 0.85) return steerTask(world);
  if (drawn < 0.9) return answerInputs(world);
  if (drawn < 0.93) return startRun(world);
  if (drawn < 0.95) return steerRun(world);
  if (drawn < 0.98) return readLists(world);
  return steerAgent(world, clientOf);
}

async function create(world: World): Promise<void> {
  const list = await world.client.get('/v1/tasks?status=created&limit=1');
  if (list.body.metadata?.total > maxBacklog) return pause(200);
  const pinnedTo = oneIn(12) ? (anyOf(world.agents)?.id ?? null) : null;
  // An agent that lacks what its own task asks for would never do it.
  const capabilities = pinnedTo === null && oneIn(6) ? everyCapability : [];
  const body = {
    title: 'A task of the stress',
    description: 'To be done.',
    priority: anyOf(priorities),
    assigned_role: oneIn(10) ? null : anyOf(roles),
    assigned_agent: pinnedTo,
    metadata: capabilities.length > 0 ? { required_capabilities: capabilities } : {},
    ...(oneIn(10) ? { contract: { review: oneIn(3) ? { person: true } : { role: anyOf(roles) } } } : {}),
  };
  const response = await world.client.post('/v1/tasks', body);
  // 400: the agent was removed in between.
  if (response.status === 400 && pinnedTo !== null) return;
  const task = taken(world, 'create', response);
  if (task) world.tasks.set(task.id, { id: task.id, pinnedTo, capabilities });
}

async function steerTask(world: World): Promise<void> {
  const recent = [...world.tasks.values()].slice(-200);
  const task = anyOf(recent);
  if (!task) return;
  const { client } = world;
  const path = `/v1/tasks/${task.id}`;
  const acts = [
    async () => taken(world, 'comment', await client.post(`${path}/comments`, { content: 'Well?' })),
    async () => taken(world, 'comment', await client.post(`${path}/comments`, { content: 'And?' })),
    async () => taken(world, 'message', await client.post(`${path}/messages`, { content: 'Mind the tests.' })),
    async () => taken(world, 'patch', await client.patch(path, { priority: anyOf(priorities), title: 'Renamed' })),
    async () => !task.pinnedTo && taken(world, 'patch role', await client.patch(path, { assigned_role: anyOf(roles) })),
    async () => oneIn(2) && taken(world, 'patch completed', await client.patch(path, { status: 'completed' })),
    async () => taken(world, 'patch open', await client.patch(path, { status: 'open' })),
    async () => taken(world, 'retry', await client.post(`${path}/retry`)),
    async () => oneIn(2) && taken(world, 'cancel', await client.delete(path)),
    async () => taken(world, 'decide', await client.post(`${path}/${oneIn(3) ? 'reject' : 'approve'}`)),
  ];
  await anyOf(acts)?.();
}

async function answerInputs(world: World): Promise<void> {
  const pending = taken(world, 'inputs', await world.client.get('/v1/inputs?status=pending&limit=20'));
  for (const { id, options } of pending?.data ?? [])
    taken(world, 'answer', await world.client.post(`/v1/inputs/${id}/answer`, { answer: anyOf(options as string[]) }));
}

async function startRun(world: World): Promise<void> {
  const id = anyOf(world.workflowIds);
  const run = taken(world, 'start', await world.client.post(`/v1/workflows/${id}/start`, { name: 'Of the stress' }));
  if (run) world.runIds.push(run.workflow_run_id);
}

async function steerRun(world: World): Promise<void> {
  const id = anyOf(world.runIds.slice(-20));
  const act = anyOf(['pause', 'resume', 'resume', 'cancel', 'retry']);
  if (id) taken(world, `run ${act}`, await world.client.post(`/v1/runs/${id}/${act}`));
}

async function readLists(world: World): Promise<void> {
  const sort = anyOf(['priority', '-created_at', 'title', '-due_date', 'status']);
  const page = taken(world, 'list', await world.client.get(`/v1/tasks?limit=50&sort=${sort}`));
  if (page && page.data.length > 50) world.violations.push('a page is longer than its limit');
  const task = anyOf([...world.tasks.keys()].slice(-50));
  if (task) taken(world, 'read', await world.client.get(`/v1/tasks/${task}`));
}

async function steerAgent(world: World, clientOf: ClientOf): Promise<void> {
  const agent = anyOf(world.agents);
  if (!agent) return;
  const act = anyOf(['pause', 'resume', 'resume', 'drain', 'remove']);
  if (act !== 'remove')
    return void taken(world, `agent ${act}`, await world.client.post(`/v1/agents/${agent.id}/${act}`));
  world.agents.splice(world.agents.indexOf(agent), 1);
  taken(world, 'remove', await world.client.delete(`/v1/agents/${agent.id}`));
  // The next agent can do the same.
  await hire(world, clientOf, agent);
}

/** Completes everything that was begun. */
async function tidyUp(world: World): Promise<void> {
  const { client } = world;
  await answerInputs(world);
  const paused = await client.get('/v1/agents?accepting=false&limit=100');
  for (const { id } of paused.body.data ?? [])
    taken(world, 'agent resume', await client.post(`/v1/agents/${id}/resume`));
  for (const id of world.runIds) {
    const run = await client.get(`/v1/runs/${id}`);
    if (run.body.paused_at) taken(world, 'run resume', await client.post(`/v1/runs/${id}/resume`));
  }
  const inReview = await client.get('/v1/tasks?status=in_review&limit=100');
  for (const { id } of inReview.body.data ?? []) taken(world, 'decide', await client.post(`/v1/tasks/${id}/approve`));
  await pause(1_000);
}
