import { runsOf, useTestDatabase } from '@eas/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { inboundScene, linkedTask } from '../../test/inbound-scene.ts';
import { reportStatus } from '../../test/report-status.ts';

const test = useTestDatabase();
let scene: ReturnType<typeof inboundScene>;
beforeAll(() => void (scene = inboundScene(test)));

/** A tenant whose platform plays histories, each in several orders, every order as the history of a task of its own. */
async function platform() {
  const tenantId = await test.createTenant();
  const secret = `a secret of sixteen ${tenantId}`;
  await scene.connect(tenantId, { type: 'taskplatform', secret, status_map: { dropped: 'cancelled' } });
  let things = 0;
  return {
    tenantId,
    async endsOf<T>(orders: object[][], idField: string, end: (externalId: string) => Promise<T>): Promise<T[]> {
      const ids = orders.map(() => `x${(things += 1)}`);
      for (const [index, bodies] of orders.entries())
        for (const body of bodies) await scene.sendPlatform({ ...body, [idField]: ids[index] }, { secret });
      // Together and one by one are two ways through the code.
      await scene.apply(tenantId, { oneByOne: things % 2 === 0 });
      return Promise.all(ids.map(end));
    },
  };
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, index) =>
    permutations(items.filter((_, other) => other !== index)).map((rest) => [item, ...rest]),
  );
}

type Task = { status: string; title: string; priority: string; tags: string[]; isHeld: boolean; comments: string[] };

async function endOfTask(tenantId: string, externalId: string) {
  const found = (await linkedTask(test, tenantId, externalId)) as Task | undefined;
  if (!found) return undefined;
  const { status, priority, isHeld, tags, comments } = found;
  const title = found.title.replace(externalId, 'x');
  // A task that was opened again is open, one that never ended is created: both wait to be worked on.
  const life = status === 'created' ? 'open' : status;
  return {
    status: life,
    title,
    priority,
    isHeld: isHeld && life === 'open',
    tags: tags.sort(),
    comments: comments.sort(),
  };
}

const item = fc.oneof(
  fc.record({ field: fc.constant('name'), after: fc.constantFrom('a', 'b') }),
  fc.record({ field: fc.constant('priority'), after: fc.constantFrom(1, 3) }),
  fc.record({ field: fc.constant('tags'), added: fc.constantFrom(['t'], ['u']), removed: fc.constantFrom([], ['v']) }),
  fc.record({ field: fc.constant('tags'), after: fc.constantFrom(['t', 'v'], ['u']) }),
  fc.record({ field: fc.constant('status'), after: fc.constantFrom('to do', 'in progress', 'done', 'dropped') }),
  fc.record({ field: fc.constant('comment'), after: fc.constantFrom('one', 'two') }),
);
const dated = (event: string) => (change: object, date: number) => ({ event, history_items: [{ ...change, date }] });
const created = { event: 'taskCreated', data: { name: 'made', tags: ['v'] } };
const deleted = { event: 'taskDeleted' };

describe('the history of a task of the platform', () => {
  it('ends with the same task in whatever order it arrives', async () => {
    const { tenantId, endsOf } = await platform();
    const histories = fc.array(item, { minLength: 2, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(histories, async (changes) => {
        const bodies = [created, ...changes.map((change, index) => dated('taskUpdated')(change, 100 + index))];
        const ends = await endsOf(permutations(bodies), 'task_id', (id) => endOfTask(tenantId, id));
        expect(new Set(ends.map((end) => JSON.stringify(end)))).toHaveProperty('size', 1);
      }),
      { numRuns: runsOf(5, 25) },
    );
  });

  it('that ends with its deletion leaves no live task, dated or not', async () => {
    const { tenantId, endsOf } = await platform();
    const changes = fc.array(fc.tuple(item, fc.boolean()), { minLength: 1, maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(changes, fc.boolean(), async (items, isDated) => {
        const bodies = [
          created,
          ...items.map(([change, has], index) =>
            has ? dated('taskUpdated')(change, 100 + index) : { event: 'taskUpdated', history_items: [{ ...change }] },
          ),
          isDated ? dated('taskDeleted')({}, 200) : deleted,
        ];
        const ends = await endsOf(permutations(bodies), 'task_id', (id) => endOfTask(tenantId, id));
        const live = ends.filter((end) => end && !['cancelled', 'completed'].includes(end.status));
        expect(live).toEqual([]);
      }),
      { numRuns: runsOf(5, 25) },
    );
  });

  it('that goes on after the deletion leaves the task alive', async () => {
    const { tenantId, endsOf } = await platform();
    const bodies = [
      created,
      dated('taskUpdated')({ field: 'status', after: 'in progress' }, 100),
      dated('taskDeleted')({}, 200),
      dated('taskUpdated')({ field: 'name', after: 'restored' }, 300),
    ];
    const ends = await endsOf(permutations(bodies), 'task_id', (id) => endOfTask(tenantId, id));
    for (const end of ends) expect(end).toMatchObject({ status: 'open', title: 'restored' });
  });

  it('does not open again what agents have completed when the platform restores the task', async () => {
    const { tenantId, endsOf } = await platform();
    const play = (bodies: object[]) => endsOf([bodies], 'task_id', async (id) => id);
    const [id = ''] = await play([created]);
    const { id: taskId } = (await linkedTask(test, tenantId, id)) as { id: string };
    await reportStatus(test.context({ tenantId }), taskId, 'completed');
    const again = (body: object) => ({ ...body, task_id: id });
    for (const body of [dated('taskDeleted')({}, 200), dated('taskUpdated')({ field: 'name', after: 'r' }, 300)])
      await endsOf([[again(body)]], 'list_id', async () => undefined);
    expect(await linkedTask(test, tenantId, id)).toMatchObject({ status: 'completed', title: 'r' });
  });
});

describe('the history of a list, folder, space, goal or key result', () => {
  it.each([
    ['list', 'list_id'],
    ['folder', 'folder_id'],
    ['space', 'space_id'],
    ['goal', 'goal_id'],
    ['keyResult', 'key_result_id'],
  ])('of kind %s ends with the same copy in whatever order it arrives', async (kind, idField) => {
    const { tenantId, endsOf } = await platform();
    const field = fc.constantFrom('name', 'color', 'content', '__proto__');
    const change = fc.record({ field, after: fc.constantFrom('a', 'b', null) });
    const copyOf = async (externalId: string) => {
      const rows = await test.database.db.query<{ data: Record<string, unknown> }>(
        'SELECT data FROM platform_objects WHERE tenant_id = $1 AND external_id = $2 AND kind = $3',
        [tenantId, externalId, kind],
      );
      const fields = rows.flatMap(({ data }) => Object.entries(data).filter(([name]) => name !== idField));
      return JSON.stringify(fields.sort());
    };
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 2 }), fc.boolean(), async (changes, isDeleted) => {
        const bodies = [
          { event: `${kind}Created`, data: { name: 'made', color: 'red' } },
          ...changes.map((one, index) => dated(`${kind}Updated`)(one, 100 + index)),
          ...(isDeleted ? [{ event: `${kind}Deleted` }] : []),
        ];
        const ends = await endsOf(permutations(bodies), idField, copyOf);
        expect(new Set(ends)).toHaveProperty('size', 1);
        expect(ends[0]).toContain(`["is_deleted",${isDeleted}]`);
      }),
      { numRuns: runsOf(3, 12) },
    );
  });
});
