import { body, type CorpusCase, created, item, pair } from './bodies.ts';

const tag = (name: string) => ({ name, tag_fg: '#FF4081', tag_bg: '#FF4081', creator: 2770032 });
const tags = (date: number, before: unknown, after: unknown) =>
  pair('taskTagUpdated', item('tag', date, { before, after }));
const ops = (...texts: string[]) => JSON.stringify({ ops: texts.map((insert) => ({ insert, attributes: {} })) });

export const fieldCases: CorpusCase[] = [
  {
    title: 'everything in the data of the creation',
    bodies: [
      created({
        data: { name: 'Fix', description: 'it', priority: 1, due_date: '2026-12-01T10:00:00Z', tags: ['a', tag('b')] },
      }),
    ],
    end: {
      title: 'Fix',
      description: 'it',
      priority: 'urgent',
      tags: ['a', 'b'],
      dueDate: new Date('2026-12-01T10:00:00Z'),
    },
  },
  {
    title: 'names and contents: plain, as a document, emptied',
    bodies: [
      created(),
      body('taskUpdated', item('name', 20, { before: 'Made', after: 'Named' })),
      body('taskUpdated', item('content', 21, { before: null, after: ops('First ', 'line', '\n') })),
      body('taskUpdated', item('content', 22, { before: 'x', after: null })),
      body('taskUpdated', item('description', 23, { after: 'plain' })),
    ],
    end: { title: 'Named', description: 'plain' },
  },
  {
    title: 'priorities as objects, words, numbers and none',
    bodies: [
      created(),
      ...pair('taskPriorityUpdated', item('priority', 20, { before: null, after: { id: '2', priority: 'high' } })),
      ...pair('taskPriorityUpdated', item('priority', 21, { before: { id: '2', priority: 'high' }, after: null })),
      body('taskUpdated', { field: 'priority', date: '22', before: 3, after: 1 }),
      body('taskUpdated', { field: 'priority', date: '23', after: 'low' }),
    ],
    end: { priority: 'low' },
  },
  {
    title: 'due dates as digits, a number, a timestamp and none',
    bodies: [
      created(),
      ...pair('taskDueDateUpdated', item('due_date', 20, { before: '1642701600000', after: '1643608800000' })),
      body('taskUpdated', item('due_date', 21, { before: '1643608800000', after: null })),
      body('taskUpdated', item('due_date', 22, { after: 1643608800000 })),
      body('taskUpdated', item('due_date', 23, { after: '2026-12-01T10:00:00Z' })),
    ],
    end: { dueDate: new Date('2026-12-01T10:00:00Z') },
  },
  {
    title: 'tags come and go in every shape',
    bodies: [
      created({ data: { name: 'Made', tags: ['made'] } }),
      ...tags(20, null, [tag('a'), tag('b')]),
      ...tags(21, [tag('a')], null),
      ...tags(22, [tag('b')], [tag('c')]),
      ...tags(23, undefined, tag('d')),
      body('taskUpdated', { field: 'tags', date: 24, added: ['e', 'f'], removed: ['made'] }),
      body('taskUpdated', item('tag_removed', 25, { before: [tag('e')] })),
      body('taskUpdated', item('tag_removed', 26, { after: [tag('f')] })),
    ],
    end: { tags: ['c', 'd'] },
  },
  {
    title: 'the whole set of tags at once, and single ones around it',
    bodies: [
      created(),
      ...tags(20, null, [tag('early')]),
      body('taskUpdated', { field: 'tags', date: 21, before: ['early'], after: ['x', 'y'] }),
      ...tags(22, [tag('x')], null),
    ],
    end: { tags: ['y'] },
  },
  {
    title: 'several fields in one event, ids and types as numbers or texts',
    bodies: [
      created({ team_id: '6931406' }),
      body(
        'taskUpdated',
        { id: 17, type: '1', date: 20, field: 'name', after: 'Both', user: { id: '183' } },
        { id: '18', type: 1, date: '20', field: 'priority', after: { id: 4, priority: 'low' }, user: null },
        { id: 19, field: 'points', date: 20, after: 3 },
      ),
    ],
    end: { title: 'Both', priority: 'low' },
  },
  {
    title: 'data without dates counts as it arrives',
    bodies: [created(), { ...body('taskUpdated'), data: { name: 'Later', priority: 2, tags: ['t'], due_date: null } }],
    end: { title: 'Later', priority: 'high', tags: ['t'], dueDate: null },
    isUndated: true,
  },
];
