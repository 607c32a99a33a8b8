/** Bodies about one task of the platform; its id and those of its items are made the test's own before they are sent. */
export type Body = { event: string; history_items?: Item[]; [field: string]: unknown };
type Item = Record<string, unknown>;

export type CorpusCase = {
  title: string;
  bodies: Body[];
  /** What must come out of it, in the order above; `agent` stands for an agent of the tenant. */
  end: Record<string, unknown>;
  /** Changes without a date count as they arrive. */
  isUndated?: boolean;
  /** Changes after a deletion: what came before it is lost when the deletion comes first. */
  isRestored?: boolean;
};

export const taskId = 'x1';
export const agent = '{agent}';

/** Status words and users of the integration that the bodies come to. */
export const maps = {
  status_map: { shipped: 'completed', dropped: 'cancelled', parked: 'hold' },
  assignee_map: { '184': agent, 'qa@company.com': 'qa', Rita: 'rd' },
} as const;

const john = { id: 183, username: 'John', email: 'john@company.com', color: '#7b68ee', initials: 'J' };
export const sam = { id: 184, username: 'Sam', email: 'sam@company.com', profilePicture: null };

/** An item as live traffic has it. */
export function item(field: string, date: number, change: Item): Item {
  return {
    id: `${field}-${date}`,
    type: 1,
    date: String(date),
    field,
    parent_id: 'l1',
    data: {},
    user: john,
    ...change,
  };
}

export const body = (event: string, ...items: Item[]): Body => ({
  event,
  task_id: taskId,
  webhook_id: 'w1',
  ...(items.length === 0 ? {} : { history_items: items }),
});

/** One action of a user, which the platform sends twice: by an event of its own and as taskUpdated. */
export const pair = (event: string, one: Item): Body[] => [body(event, one), body('taskUpdated', one)];

export const created = (over: object = {}): Body => ({ ...body('taskCreated'), data: { name: 'Made' }, ...over });
