import { body, type CorpusCase, created, item, pair } from './bodies.ts';

const status = (word: string, type: string, orderindex = 1) => ({ status: word, color: '#7C4DFF', orderindex, type });
const moved = (date: number, before: unknown, after: unknown, data: object = {}) =>
  pair('taskStatusUpdated', item('status', date, { before, after, data }));

export const statusCases: CorpusCase[] = [
  {
    title: 'a task is made in a status of type open, whatever its word',
    bodies: [
      body(
        'taskCreated',
        item('status', 10, {
          data: { status_type: 'open' },
          before: { status: null, color: '#000000', type: 'removed', orderindex: -1 },
          after: status('backlog', 'open', 0),
        }),
        item('task_creation', 10, { before: null, after: null }),
      ),
    ],
    end: { title: 'Task x1', status: 'open', isHeld: false, platform: { status: 'backlog' } },
  },
  {
    title: 'a custom status that no table knows holds the task',
    bodies: [
      created(),
      ...moved(20, status('to do', 'open'), status('in progress', 'custom'), { status_type: 'custom' }),
    ],
    end: { status: 'open', isHeld: true, platform: { status: 'in progress' } },
  },
  {
    title: 'a status of type done completes',
    bodies: [created(), ...moved(20, status('to do', 'open'), status('verified', 'done'))],
    end: { status: 'completed', platform: { status: 'verified' } },
  },
  {
    title: 'a status of type closed completes, its type given beside it',
    bodies: [created(), ...moved(20, 'to do', 'archived', { status_type: 'closed' })],
    end: { status: 'completed' },
  },
  {
    title: 'the map of the integration counts before the type',
    bodies: [created(), ...moved(20, status('to do', 'open'), status('parked', 'closed'))],
    end: { status: 'open', isHeld: true },
  },
  {
    title: 'a word that the map ends as cancelled is taken back by a later one',
    bodies: [
      created(),
      ...moved(20, status('to do', 'open'), status('dropped', 'closed')),
      ...moved(30, status('dropped', 'closed'), status('to do', 'open')),
    ],
    end: { status: 'open', isHeld: false },
  },
  {
    title: 'done, reopened and done again',
    bodies: [
      created(),
      ...moved(20, status('to do', 'open'), status('done', 'done')),
      ...moved(30, status('done', 'done'), status('review', 'custom')),
      ...moved(40, status('review', 'custom'), status('done', 'done')),
    ],
    end: { status: 'completed' },
  },
  {
    title: 'statuses as bare words',
    bodies: [
      created(),
      body('taskUpdated', { field: 'status', date: 20, before: 'open', after: 'in progress' }),
      body('taskUpdated', { field: 'status', date: 30, before: 'in progress', after: 'Complete' }),
    ],
    end: { status: 'completed' },
  },
  {
    title: 'a status in data, as the interface has it',
    bodies: [created(), { ...body('taskUpdated'), data: { status: { status: 'closed', orderindex: 4 } } }],
    end: { status: 'completed' },
    isUndated: true,
  },
  {
    title: 'an automation changes the status: there is no user',
    bodies: [
      created(),
      ...pair('taskStatusUpdated', item('status', 20, { user: null, after: status('done', 'done') })),
    ],
    end: { status: 'completed' },
  },
];
