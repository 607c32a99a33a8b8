import { describe, expect, it } from '@jest/globals';
import { sampleBody } from '../../test/samples.ts';
import { readTaskNews, type TaskChange } from './task-change.ts';

const receivedAt = new Date('2026-11-20T10:00:00Z');
const received = receivedAt.getTime();
const read = async (body: object) => (await readTaskNews(body as never, receivedAt)).changes;
const ofSample = (name: string) => read(JSON.parse(sampleBody(name).toString()));
const ofItem = (item: object) => read({ event: 'taskUpdated', task_id: 'x', history_items: [item] });

describe('readTaskNews', () => {
  it.each<[string, TaskChange[]]>([
    ['taskCreated', [{ field: 'status', value: 'to do', at: 1642734631523 }]],
    ['taskUpdated.priority', [{ field: 'priority', value: 'high', at: 1642735267148 }]],
    ['taskUpdated.due_date', [{ field: 'due_date', value: new Date(1643608800000), at: 1642736394447 }]],
    ['taskUpdated.tag', [{ field: 'tag', added: ['def'], removed: [], at: 1642736652800 }]],
    ['taskUpdated.status', [{ field: 'status', value: 'in progress', at: 1642736073330 }]],
    ['taskUpdated.assignee_add', []],
    ['taskUpdated.custom_field', []],
    ['taskUpdated.time_spent', []],
    ['taskUpdated.section_moved', []],
    ['signature-doc-example.taskCreated-minimal', []],
    [
      'taskUpdated.content',
      [{ field: 'description', value: 'This is a task description update to trigger the', at: 1642734925064 }],
    ],
    [
      'taskUpdated.comment',
      [{ field: 'comment', id: '648893191', content: 'comment abc1234', author: 'John', at: 1642737045116 }],
    ],
    [
      'taskCommentUpdated',
      [{ field: 'comment', id: '648893191', content: 'comment abc1234 56789', author: 'John', at: 1642737045116 }],
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

  it('knows by which date of the platform the news is dated, and a deletion', async () => {
    const news = (body: object) => readTaskNews({ task_id: 'x', ...body } as never, receivedAt);
    const items = [{ date: '5' }, { date: 9 }, {}];
    expect(await news({ event: 'taskUpdated', history_items: items })).toMatchObject({ datedAt: 9 });
    expect(await news({ event: 'taskUpdated', history_items: [{}] })).toMatchObject({ datedAt: undefined });
    expect(await news({ event: 'taskDeleted' })).toEqual({ changes: [], datedAt: undefined, deletedAt: received });
    expect(await news({ event: 'taskDeleted', history_items: items })).toMatchObject({ deletedAt: 9 });
  });

  it('takes a document too long to be read as the text that it is', async () => {
    const long = `{"ops":[{"insert":"${'x'.repeat(600_000)}"}]}`;
    expect(await ofItem({ field: 'content', after: long })).toMatchObject([{ value: long.slice(0, 65_536) }]);
  });
});
