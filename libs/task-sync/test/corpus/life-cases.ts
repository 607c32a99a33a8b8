import { body, type CorpusCase, created, item } from './bodies.ts';

const rename = (date: number, after: string) => body('taskUpdated', item('name', date, { after }));

export const lifeCases: CorpusCase[] = [
  {
    title: 'a task whose name is in no event is called by its id',
    bodies: [body('taskCreated', item('task_creation', 10, { before: null, after: null }))],
    end: { title: 'Task x1', status: 'open' },
  },
  {
    title: 'a task that is first heard of by a change of it',
    bodies: [rename(20, 'Found')],
    end: { title: 'Found', status: 'open' },
  },
  {
    title: 'a deletion without a date ends the task',
    bodies: [created(), rename(20, 'Named'), body('taskDeleted')],
    end: { status: 'cancelled' },
  },
  {
    title: 'a deletion with a date, and changes from before it',
    bodies: [created(), rename(20, 'Named'), body('taskDeleted', { date: 30 })],
    end: { status: 'cancelled' },
  },
  {
    title: 'a task that the platform restores',
    bodies: [created(), body('taskDeleted', { date: 30 }), rename(40, 'Restored')],
    end: { status: 'open', title: 'Restored' },
    isRestored: true,
  },
  {
    title: 'unknown fields change nothing',
    bodies: [
      created(),
      body('taskUpdated', item('points', 20, { before: 1, after: 2 })),
      body('taskUpdated', item('attachments', 21, { after: [{ id: 'a1', title: 'log.txt' }] })),
      { ...body('taskUpdated'), data: { anything: { at: ['all'] } }, extra: true },
    ],
    end: { title: 'Made', status: 'open' },
    isUndated: true,
  },
];
