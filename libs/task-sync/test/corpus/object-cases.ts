import { type Body, type CorpusCase, created } from './bodies.ts';

const renamed = (date: number, after: string) => ({
  id: `n${date}`,
  type: 6,
  date: String(date),
  field: 'name',
  user: null,
  after,
});

/** An object that is made, renamed twice and, once, deleted; the task shows the name that it last had. */
function lifeOf(kind: string, idField: string): Body[] {
  const id = { [idField]: 'o1' };
  return [
    created({ [idField]: 'o1' }),
    { event: `${kind}Created`, ...id, team_id: '6931406', history_items: [] },
    { event: `${kind}Updated`, ...id, history_items: [renamed(20, 'one')] },
    { event: `${kind}Updated`, ...id, history_items: [renamed(30, 'two')] },
    { event: `${kind}Deleted`, ...id },
  ];
}

export const objectCases: CorpusCase[] = (
  [
    ['list', 'list_id', 'list'],
    ['folder', 'folder_id', 'folder'],
    ['space', 'space_id', 'space'],
    ['goal', 'goal_id', 'goal'],
    ['keyResult', 'key_result_id', 'key_result'],
  ] as const
).map(([kind, idField, shown]) => ({
  title: `the ${shown} of a task is named on it`,
  bodies: lifeOf(kind, idField),
  end: { platform: { [shown]: { id: 'o1', name: 'two' } } },
}));
