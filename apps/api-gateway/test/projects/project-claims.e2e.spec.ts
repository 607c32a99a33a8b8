import { describe, expect, it } from '@jest/globals';
import { expectError, type Json, useGateway } from '../gateway.ts';

const gateway = useGateway();
let made = 0;

/** Two projects, and agents of a role of their own. */
async function setUp(agents = 1) {
  const role = `claimer-${(made += 1)}`;
  const [web, api] = await Promise.all(
    ['web', 'api'].map((name) => gateway.make('/v1/projects', { name: `${name} ${made}` })),
  );
  const workers = await Promise.all(
    Array.from({ length: agents }, (_, n) =>
      gateway.make('/v1/agents', { name: `${role} ${n}`, role, max_concurrent_tasks: 9 }),
    ),
  );
  const add = async (project: Json, more: object = {}): Promise<string> => {
    const body = { title: 't', description: 'd', assigned_role: role, ...more };
    return (await gateway.make('/v1/tasks', { ...body, ...(project ? { project: project.id } : {}) })).id;
  };
  return { web, api, workers, add };
}

async function claim({ id }: Json, projects?: readonly Json[], wait = 0): Promise<string | undefined> {
  const body = { wait_seconds: wait, ...(projects ? { projects: projects.map((one) => one.id) } : {}) };
  const response = await gateway.post(`/v1/agents/${id}/claims`, body);
  expect([200, 204]).toContain(response.status);
  return response.body?.task.id;
}

describe('a claim of projects', () => {
  it('gets their tasks alone, in the order of claims over all of them', async () => {
    const { web, api, workers, add } = await setUp();
    const [worker] = workers;
    const none = await add(null, { priority: 'critical' });
    const later = await add(web);
    const first = await add(api, { priority: 'urgent' });
    expect(await claim(worker, [web, api])).toBe(first);
    expect(await claim(worker, [api])).toBeUndefined();
    expect(await claim(worker, [web, web, api])).toBe(later);
    expect(await claim(worker, [web, api])).toBeUndefined();
    expect(await claim(worker)).toBe(none);
  });

  it('gets tasks of theirs without a role, and those that are given to the agent', async () => {
    const { web, api, workers, add } = await setUp();
    const [worker] = workers;
    const ofAny = await add(web, { assigned_role: null });
    const [given, other] = [{ assigned_role: 'another', assigned_agent: worker.id }, { assigned_role: 'another' }];
    const pinned = await add(api, given);
    await add(web, other);
    expect([await claim(worker, [web]), await claim(worker, [web]), await claim(worker, [api])]).toEqual([
      ofAny,
      undefined,
      pinned,
    ]);
  });

  it('regards what its agent can do, and gives no task twice when many claim at once', async () => {
    const { web, api, workers, add } = await setUp(4);
    await add(web, { metadata: { required_capabilities: ['rust'] } });
    const ids = await Promise.all([web, api, web, api].map((project) => add(project)));
    const got = await Promise.all([...workers, ...workers].map((worker) => claim(worker, [web, api])));
    expect(got.filter((id) => id !== undefined).toSorted()).toEqual(ids.toSorted());
  });

  it('waits for a task of theirs, while another claim of the role gets the others', async () => {
    const { web, api, workers, add } = await setUp(2);
    const [picky, open] = workers;
    const [ofPicky, ofOpen] = [claim(picky, [web], 20), claim(open, undefined, 20)];
    await new Promise((resolve) => setTimeout(resolve, 300));
    const other = await add(api);
    expect(await ofOpen).toBe(other);
    const own = await add(web);
    expect(await ofPicky).toBe(own);
  });

  it('gets its task again for its key', async () => {
    const { web, workers, add } = await setUp();
    await add(web);
    const send = () =>
      gateway.post(
        `/v1/agents/${workers[0].id}/claims`,
        { projects: [web.id] },
        { headers: { 'idempotency-key': 'one' } },
      );
    const [first, second] = [await send(), await send()];
    expect([first.status, second.body.lease]).toEqual([200, first.body.lease]);
  });

  it('of a project that does not exist gets nothing', async () => {
    const { web, workers, add } = await setUp();
    await add(web);
    expect(await claim(workers[0], [{ id: 'prj_01ks0000000000000000000000' }])).toBeUndefined();
  });

  it.each<[unknown, string, string]>([
    [[], 'projects', 'min_length'],
    [Array(21).fill('prj_01ks0000000000000000000000'), 'projects', 'max_length'],
    ['prj_01ks0000000000000000000000', 'projects', 'type'],
    [[''], 'projects.0', 'required'],
    [[7], 'projects.0', 'type'],
  ])('is refused for %j', async (projects, field, constraint) => {
    const { workers } = await setUp();
    const refused = await gateway.post(`/v1/agents/${workers[0].id}/claims`, { projects });
    expectError(refused, 400, 'invalid_input', { field, constraint });
  });
});
