import { describe, expect, it } from '@jest/globals';
import { sampleBody } from '../../test/samples.ts';
import { readReportedTask, type TaskChange } from './task-change.ts';

const receivedAt = new Date('2026-11-20T10:00:00Z');
const received = receivedAt.getTime();
const readAll = async (body: object) => (await readReportedTask(body as never, receivedAt)).changes;
/** Without what is only kept: the list that each item is recorded in. */
const read = async (body: object) =>
  (await readAll(body)).filter((change) => change.field !== 'detail' || !change.detail.isQuiet);
const ofSample = (name: string) => read(JSON.parse(sampleBody(name).toString()));
const ofItem = (item: object) => read({ event: 'taskUpdated', task_id: 'x', history_items: [item] });

const sam = { key: '184', id: '184', name: 'Sam', email: 'sam@company.com' };
const detail = (name: 'start_date' | 'time_estimate' | 'time_spent', value: string | null, at = received) =>
  ({ field: 'detail', detail: { name, value }, at }) as const;

describe('readReportedTask', () => {
  it.each<[string, TaskChange[]]>([
    ['taskCreated', [{ field: 'status', value: 'to do', type: 'open', at: 1642734631523 }]],
    ['taskUpdated.priority', [{ field: 'priority', value: 'high', at: 1642735267148 }]],
    ['taskUpdated.due_date', [{ field: 'due_date', value: new Date(1643608800000), at: 1642736394447 }]],
    ['taskUpdated.tag', [{ field: 'tag', added: ['def'], removed: [], at: 1642736652800 }]],
    ['taskUpdated.status', [{ field: 'status', value: 'in progress', type: 'custom', at: 1642736073330 }]],
    ['taskUpdated.assignee_add', [{ field: 'assignee', added: [sam], removed: [], at: 1642736194135 }]],
    [
      'taskUpdated.custom_field',
      [
        {
          field: 'detail',
          detail: {
            name: 'custom_field',
            value: 'Monthly',
            custom: { id: '862a38bb-eaba-4b9b-a4b5-c09d2a8c082f', name: 'Selection Dropdown' },
          },
          at: 1642735110657,
        },
      ],
    ],
    ['taskTimeTrackedUpdated', [detail('time_spent', '0.25h', 1642737376354)]],
    ['taskTimeEstimateUpdated', [detail('time_estimate', '1.5h', 1642737359443)]],
    [
      'taskMoved',
      [
        {
          field: 'detail',
          detail: { name: 'list', value: '162641285', shown: { from: 'Webhook payloads', to: 'webhook payloads 2' } },
          at: 1642736879339,
        },
      ],
    ],
    ['signature-doc-example.taskCreated-minimal', []],
    [
      'taskUpdated.content',
      [{ field: 'description', value: 'This is a task description update to trigger the', at: 1642734925064 }],
    ],
    [
      'taskUpdated.comment',
      [
        {
          field: 'comment',
          id: '648893191',
          content: 'comment abc1234',
          author: 'John',
          rank: 1,
          parent: '1vj38vv',
          at: 1642737045116,
        },
      ],
    ],
    [
      'taskCommentUpdated',
      [
        {
          field: 'comment',
          id: '648893191',
          content: 'comment abc1234 56789',
          author: 'John',
          parent: '1vj38vv',
          rank: 2,
          at: 1642737045116,
        },
      ],
    ],
  ])('reads the sample %s', async (name, changes) => expect(await ofSample(name)).toEqual(changes));

  it('reads the interface’s own entries', async () => {
    expect(await ofItem({ field: 'name', before: 'a', after: 'b' })).toEqual([
      { field: 'title', value: 'b', at: received },
    ]);
    expect(await ofItem({ field: 'tags', added: ['a'], removed: ['b'] })).toEqual([
      { field: 'tag', added: ['a'], removed: ['b'], at: received },
    ]);
    expect(await ofItem({ field: 'tags', before: ['a'], after: ['b'] })).toEqual([
      { field: 'tags', value: ['b'], at: received },
    ]);
    expect(await ofItem({ field: 'status', before: 'open', after: 'in progress' })).toMatchObject([
      { value: 'in progress' },
    ]);
    expect(await ofItem({ field: 'priority', before: 3, after: 1 })).toMatchObject([{ value: 'urgent' }]);
    expect(await ofItem({ field: 'due_date', before: null, after: '2026-12-01T10:00:00Z' })).toMatchObject([
      { value: new Date('2026-12-01T10:00:00Z') },
    ]);
    expect(await ofItem({ field: 'comment', after: 'please hurry' })).toMatchObject([
      { id: null, content: 'please hurry', author: 'platform' },
    ]);
  });

  it('reads data, dated like its history or else by receipt', async () => {
    const data = { name: ' Name ', priority: 4, due_date: '1643608800000', tags: ['a', { name: 'b' }, 'a'] };
    const changes = [
      { field: 'title', value: 'Name', at: received },
      { field: 'priority', value: 'low', at: received },
      { field: 'due_date', value: new Date(1643608800000), at: received },
      { field: 'tags', value: ['a', 'b'], at: received },
    ];
    expect(await read({ event: 'taskUpdated', task_id: 'x', data })).toEqual(changes);
    const dated = { event: 'taskUpdated', task_id: 'x', data, history_items: [{ date: '5' }, { date: 9 }] };
    expect(await read(dated)).toEqual(changes.map((change) => ({ ...change, at: 9 })));
    expect(await read({ event: 'taskCreated', task_id: 'x', data })).toEqual(
      changes.map((change) => ({ ...change, at: 0 })),
    );
  });

  it('clears what the platform cleared', async () => {
    expect(await ofItem({ field: 'due_date', before: '1', after: null })).toMatchObject([{ value: null }]);
    expect(await ofItem({ field: 'priority', before: 1, after: null })).toMatchObject([{ value: 'medium' }]);
    expect(await ofItem({ field: 'content', before: 'x', after: null })).toMatchObject([{ value: '' }]);
    expect(await ofItem({ field: 'tag', before: [{ name: 'a' }], after: null })).toMatchObject([{ removed: ['a'] }]);
  });

  it('passes over values that mean nothing to us', async () => {
    for (const after of [undefined, 'soon', -5, 1e300, {}])
      expect(await ofItem({ field: 'due_date', after })).toEqual([]);
    for (const after of [undefined, 0, 5, 'constructor', {}])
      expect(await ofItem({ field: 'priority', after })).toEqual([]);
    for (const after of [undefined, null, '', ' ']) expect(await ofItem({ field: 'name', after })).toEqual([]);
    expect(await ofItem({ field: 'comment', after: '648893191' })).toEqual([]);
  });

  it('keeps texts in our bounds and free of what the database cannot hold', async () => {
    expect(await ofItem({ field: 'name', after: 'x'.repeat(600) })).toMatchObject([{ value: 'x'.repeat(500) }]);
    const document = JSON.stringify({ ops: [{ insert: 'a\u0000b' }, { insert: { image: 1 } }, null] });
    expect(await ofItem({ field: 'content', after: document })).toMatchObject([{ value: 'ab' }]);
  });

  it('knows by which date of the platform changes are dated, and a deletion', async () => {
    const reported = (body: object) => readReportedTask({ task_id: 'x', ...body } as never, receivedAt);
    const items = [{ date: '5' }, { date: 9 }, {}];
    expect(await reported({ event: 'taskUpdated', history_items: items })).toMatchObject({ datedAt: 9 });
    expect(await reported({ event: 'taskUpdated', history_items: [{}] })).toMatchObject({ datedAt: undefined });
    expect(await reported({ event: 'taskDeleted' })).toMatchObject({
      changes: [],
      datedAt: undefined,
      deletedAt: received,
    });
    expect(await reported({ event: 'taskDeleted', history_items: items })).toMatchObject({ deletedAt: 9 });
  });

  it('takes a document too long to be read as the text that it is', async () => {
    const long = `{"ops":[{"insert":"${'x'.repeat(600_000)}"}]}`;
    expect(await ofItem({ field: 'content', after: long })).toMatchObject([{ value: long.slice(0, 65_536) }]);
  });

  it('reads a status type of the status itself, or of the item', async () => {
    expect(await ofItem({ field: 'status', after: { status: 'shipped', type: 'Closed' } })).toMatchObject([
      { value: 'shipped', type: 'closed' },
    ]);
    expect(await ofItem({ field: 'status', after: 'shipped', data: { status_type: 'done' } })).toMatchObject([
      { type: 'done' },
    ]);
    expect(await ofItem({ field: 'status', after: 'shipped' })).toMatchObject([{ type: null }]);
  });

  it('reads tags that came or went, one or several, under before, after or tag_removed', async () => {
    const tag = (name: string) => ({ name, tag_fg: '#fff' });
    expect(await ofItem({ field: 'tag', before: [tag('a')] })).toMatchObject([{ added: [], removed: ['a'] }]);
    expect(await ofItem({ field: 'tag', before: [tag('a'), tag('b')], after: [tag('b')] })).toMatchObject([
      { added: ['b'], removed: ['a'] },
    ]);
    expect(await ofItem({ field: 'tag', after: tag('a') })).toMatchObject([{ added: ['a'] }]);
    expect(await ofItem({ field: 'tag_removed', after: [tag('a')] })).toMatchObject([{ added: [], removed: ['a'] }]);
    expect(await ofItem({ field: 'tag_removed', before: ['a', 'b'], after: ['b'] })).toMatchObject([
      { removed: ['a'] },
    ]);
  });

  it('reads users as objects, ids and names, and the set of them', async () => {
    expect(await ofItem({ field: 'assignee_rem', before: { id: '184', username: 'Sam' } })).toMatchObject([
      { added: [], removed: [{ key: '184' }] },
    ]);
    expect(await ofItem({ field: 'assignees', added: [184, 'Sam'], removed: [{ email: 'Jo@X.io' }] })).toMatchObject([
      { added: [{ key: '184' }, { key: 'sam', name: 'Sam' }], removed: [{ key: 'jo@x.io' }] },
    ]);
    expect(await ofItem({ field: 'assignees', before: [1], after: [{ id: 2 }] })).toMatchObject([
      { field: 'assignees', value: [{ key: '2' }] },
    ]);
    expect(await ofItem({ field: 'assignee_add', after: null })).toEqual([]);
    expect(await read({ event: 'taskUpdated', task_id: 'x', data: { assignees: [{ id: 7 }] } })).toMatchObject([
      { field: 'assignees', value: [{ key: '7' }] },
    ]);
  });

  it('reads dates, times and places that tasks have no field for', async () => {
    expect(await ofItem({ field: 'start_date', after: '1643608800000' })).toEqual([
      detail('start_date', '2022-01-31T06:00:00Z'),
    ]);
    expect(await ofItem({ field: 'time_estimate', before: '5400000', after: null })).toEqual([
      detail('time_estimate', null),
    ]);
    expect(await ofItem({ field: 'time_estimate', after: 'long' })).toEqual([]);
    expect(await ofItem({ field: 'time_spent', after: { time: '3600000' } })).toEqual([detail('time_spent', '1h')]);
    const body = { event: 'taskUpdated', task_id: 'x', list_id: 'l1', space_id: 's1', goal_id: 'g1' };
    expect(await readAll(body)).toMatchObject([
      { detail: { name: 'list', value: 'l1' } },
      { detail: { name: 'space', value: 's1' } },
      { detail: { name: 'goal', value: 'g1' } },
    ]);
  });

  it('names the lists, folders and spaces of a move, and the fields that it does not know', async () => {
    const reported = (body: object) => readReportedTask({ task_id: 'x', ...body } as never, receivedAt);
    const { mentions } = await reported(JSON.parse(sampleBody('taskMoved').toString()) as object);
    expect(mentions).toMatchObject([
      { kind: 'list', id: '162641285', name: 'webhook payloads 2' },
      { kind: 'space', id: '7002367', name: 'This is my API Space' },
    ]);
    const items = [{ field: 'points', after: 3 }, { field: 'constructor' }, { field: 'task_creation' }];
    expect(await reported({ event: 'taskUpdated', history_items: items })).toMatchObject({
      changes: [],
      unknown: ['points', 'constructor'],
    });
  });

  it('reads a deleted comment in each of its shapes', async () => {
    const deleted = { field: 'comment', id: 'c1', content: null, rank: 3 };
    expect(await ofItem({ field: 'comment', comment: { id: 'c1', deleted: true } })).toMatchObject([deleted]);
    expect(await ofItem({ field: 'comment_deleted', before: 'c1' })).toMatchObject([deleted]);
    expect(await ofItem({ field: 'comment', before: 'c1', after: null, comment: null })).toMatchObject([deleted]);
  });

  it('reads a comment as a list of parts, under the id that stands beside it', async () => {
    const comment = [{ text: 'one ' }, { text: 'two' }];
    expect(await ofItem({ field: 'comment', after: '77', comment })).toMatchObject([{ id: '77', content: 'one two' }]);
  });
});
