import type { Repository } from '@eas/contracts';
import { archiveProject, changeTask, createProject, getTask } from '@eas/tasks';
import { useTestDatabase } from '@eas/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Body, body, created, item } from '../../test/corpus/bodies.ts';
import { inboundScene, linkedTask } from '../../test/inbound-scene.ts';
import { issueBody } from '@eas/source-host/bodies';
import { sourceHostScene } from '../../test/source-host-scene.ts';
import { changeIntegration, createIntegration } from '@eas/integrations';

const test = useTestDatabase();
let scene: ReturnType<typeof inboundScene>;
beforeAll(() => void (scene = inboundScene(test)));

const rules = { vetUrl: () => ({ isAllowed: true }) as const };
const repository = (url: string): Repository => ({
  url,
  base_branch: 'main',
  setup: null,
  copy_files: [],
  checks: [],
});

/** A tenant whose platform has a list `l1`, and spaces `s1` and `s2`, that stand for projects. */
async function connected() {
  const tenantId = await test.createTenant();
  const ctx = test.context({ tenantId });
  const make = async (name: string, more: object = {}) =>
    (
      await createProject(
        ctx,
        { name, description: null, repositories: [], defaults: {}, max_rework_rounds: 3, ...more },
        rules,
      )
    ).body.id;
  const defaults = { assigned_role: 'rd', priority: 'high' as const, tags: ['web'] };
  const ids = { l1: await make('one', { defaults }), s1: await make('two'), s2: await make('three') };
  const secret = `a secret of sixteen ${tenantId}`;
  const { integration } = await scene.connect(tenantId, { type: 'taskplatform', secret, project_map: ids });
  return {
    ctx,
    ids,
    integration,
    async play(...bodies: Body[]) {
      for (const one of bodies) await scene.sendPlatform(one, { secret, to: integration.id });
      await scene.apply(tenantId);
    },
    task: async () => (await getTask(ctx, String((await linkedTask(test, tenantId, 'x1'))?.['id']))).body,
  };
}

const place = (id: string, space: string) => ({ id, name: id, category: null, project: { id: space, name: space } });
const moved = (date: number, list: string, space: string) =>
  body('taskMoved', item('section_moved', date, { after: place(list, space) }));

describe('a task of a platform', () => {
  it('gets the project of its list, which counts before its space, with its defaults', async () => {
    const { ids, play, task } = await connected();
    await play(created({ list_id: 'l1', space_id: 's1' }));
    expect(await task()).toMatchObject({ project: ids.l1, assigned_role: 'rd', priority: 'high', tags: ['web'] });
  });

  it('keeps what the platform says in place of the defaults', async () => {
    const { play, task } = await connected();
    await play(created({ list_id: 'l1', data: { name: 'Made', priority: 4, tags: ['own'] } }));
    expect(await task()).toMatchObject({ priority: 'low', tags: ['own'] });
  });

  it('gets another one when it is moved, and none where nothing is mapped', async () => {
    const { ids, play, task } = await connected();
    await play(created());
    expect((await task()).project).toBe(null);
    await play(moved(20, 'l1', 's1'));
    expect((await task()).project).toBe(ids.l1);
    await play(moved(30, 'l2', 's2'));
    expect((await task()).project).toBe(ids.s2);
    await play(moved(25, 'l1', 's1'));
    expect((await task()).project).toBe(ids.s2);
    await play(moved(40, 'l2', 's3'));
    expect((await task()).project).toBe(null);
  });

  it('keeps a project that a person gave it', async () => {
    const { ctx, ids, play, task } = await connected();
    await play(created({ list_id: 'l1' }));
    await changeTask(ctx, { taskId: (await task()).id, body: { project: ids.s2 } });
    await play(moved(30, 'l2', 's1'));
    expect((await task()).project).toBe(ids.s2);
  });

  it('has none instead of an archived one', async () => {
    const { ctx, ids, play, task } = await connected();
    await archiveProject(ctx, ids.l1);
    await archiveProject(ctx, ids.s1);
    await play(created({ list_id: 'l1' }));
    expect((await task()).project).toBe(null);
    await play(moved(20, 'l2', 's1'));
    expect((await task()).project).toBe(null);
  });
});

it('an issue has the project of its repository', async () => {
  const host = await sourceHostScene(test, scene, { labels: { bug: 'rd' } });
  const repositories = [repository('https://github.com/codertocat/hello-world.git')];
  const project = { name: 'Hello', description: null, repositories, defaults: {}, max_rework_rounds: 3 };
  const { body: made } = await createProject(host.ctx, project, rules);
  await host.play([['issues', issueBody('opened', 1, { labels: ['bug'] })]]);
  const { id } = (await linkedTask(test, host.tenantId, 'Codertocat/Hello-World#12')) as { id: string };
  expect((await getTask(host.ctx, id)).body.project).toBe(made.id);
});

describe('the map of projects', () => {
  it('is merged by the IDs of places, and cleared by null', async () => {
    const { ctx, ids, integration } = await connected();
    const change = async (map: object | null) =>
      (await changeIntegration(ctx, { id: integration.id, ifMatch: undefined, body: { project_map: map } as never }))
        .integration;
    expect(await change({ l1: null, L9: ids.s1 })).toMatchObject({
      project_map: { s1: ids.s1, s2: ids.s2, L9: ids.s1 },
    });
    const many = Object.fromEntries(Array.from({ length: 501 }, (_, n) => [`l${n}`, ids.s1]));
    await expect(change(many)).rejects.toMatchObject({
      violations: [{ field: 'project_map', constraint: 'max_length' }],
    });
    expect(await change(null)).not.toHaveProperty('project_map');
  });

  it('names projects that exist', async () => {
    const { ctx, integration } = await connected();
    const wrong = { project_map: { l1: 'prj_01ks0000000000000000000000' } };
    const refused = {
      code: 'invalid_input',
      violations: [{ field: 'project_map.l1', constraint: 'format' }],
    };
    const secret = 'a secret of sixteen and more';
    await expect(createIntegration(ctx, { type: 'taskplatform', secret, ...wrong })).rejects.toMatchObject(refused);
    const change = { id: integration.id, ifMatch: undefined, body: wrong };
    await expect(changeIntegration(ctx, change)).rejects.toMatchObject(refused);
  });
});
