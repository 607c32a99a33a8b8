import { z } from 'zod';
import { parseTimestamp } from '../../fields.ts';

/** What the platform's events are about; an event name begins with one of them. */
export const platformKinds = ['task', 'list', 'folder', 'space', 'goal', 'keyResult'] as const;
export type PlatformKind = (typeof platformKinds)[number];

export const platformIdField = {
  task: 'task_id',
  list: 'list_id',
  folder: 'folder_id',
  space: 'space_id',
  goal: 'goal_id',
  keyResult: 'key_result_id',
} as const satisfies Record<PlatformKind, string>;

const everyKind = ['Created', 'Updated', 'Deleted'];
const taskOnly = ['Priority', 'Status', 'Assignee', 'DueDate', 'Tag', 'Comment', 'TimeEstimate', 'TimeTracked'];

/** Names that are known; others of the same form are kept as quarantined. */
export const knownPlatformEvents: ReadonlySet<string> = new Set([
  ...platformKinds.flatMap((kind) => everyKind.map((act) => `${kind}${act}`)),
  ...taskOnly.map((field) => `task${field}Updated`),
  'taskMoved',
  'taskCommentPosted',
]);

const platformEventPattern = new RegExp(`^(${platformKinds.join('|')})[A-Z]\\w*$`);
const nameRule = `must begin with one of ${platformKinds.join(', ')} and a capital letter after it, such as taskCreated`;

const id = z.string().min(1).max(255);
const text = z.string().max(1_000_000);
const idOrNumber = z.union([id, z.number()]);

/** One entry of `history_items`; the platform sends many more fields. */
const historyItem = z.looseObject({
  id: idOrNumber.nullish(),
  field: z.string().max(255).nullish(),
  date: z.union([z.string().max(64), z.number()]).nullish(),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
  added: z.array(z.unknown()).max(1_000).nullish(),
  removed: z.array(z.unknown()).max(1_000).nullish(),
  comment: z.unknown().optional(),
});
export type PlatformHistoryItem = z.infer<typeof historyItem>;

/** Unix milliseconds as text or number, or any RFC 3339 form. */
const date = z.union([
  z.number(),
  z.string().refine((value) => /^\d{1,16}$/.test(value) || parseTimestamp(value) !== undefined, 'must be a timestamp'),
]);
const tag = z.union([z.string().max(255), z.looseObject({ name: z.string().max(255) })]);

const dataByKind = {
  task: z.looseObject({
    name: text.nullish(),
    description: text.nullish(),
    status: z.looseObject({ status: z.string().max(255).nullable(), orderindex: z.int().nullish() }).nullish(),
    priority: z.int().nullish(),
    due_date: date.nullish(),
    tags: z.array(tag).max(1_000).nullish(),
  }),
  list: z.looseObject({ name: text.nullish(), archived: z.boolean().nullish() }),
  folder: z.looseObject({ name: text.nullish() }),
  space: z.looseObject({ name: text.nullish(), private: z.boolean().nullish() }),
  goal: z.looseObject({ name: text.nullish(), percent_completed: z.number().nullish() }),
  keyResult: z.looseObject({ name: text.nullish(), current: z.number().nullish(), target: z.number().nullish() }),
} satisfies Record<PlatformKind, z.ZodType>;

const common = {
  event: z.string().max(100).regex(platformEventPattern, nameRule),
  webhook_id: id.nullish(),
  task_id: id.nullish(),
  list_id: id.nullish(),
  folder_id: id.nullish(),
  space_id: id.nullish(),
  goal_id: id.nullish(),
  key_result_id: id.nullish(),
  history_items: z.array(historyItem).max(10_000).nullish(),
};

/** Body of an unknown event with a well-formed name: its ids are not required. */
export const unknownPlatformEvent = z.looseObject({ ...common, data: z.looseObject({}).nullish() });

/** Body of a known event, by what it is about. Unknown fields are accepted and kept. */
export const platformEventByKind = {
  task: z.looseObject({ ...common, task_id: id, data: dataByKind.task.nullish() }),
  list: z.looseObject({ ...common, list_id: id, data: dataByKind.list.nullish() }),
  folder: z.looseObject({ ...common, folder_id: id, data: dataByKind.folder.nullish() }),
  space: z.looseObject({ ...common, space_id: id, data: dataByKind.space.nullish() }),
  goal: z.looseObject({ ...common, goal_id: id, data: dataByKind.goal.nullish() }),
  keyResult: z.looseObject({ ...common, key_result_id: id, data: dataByKind.keyResult.nullish() }),
} satisfies Record<PlatformKind, z.ZodType>;
export type PlatformEvent = z.infer<typeof unknownPlatformEvent>;
export type PlatformTaskEvent = z.infer<(typeof platformEventByKind)['task']>;

export const inboundAccepted = z.object({ ok: z.literal(true) });

/** `challenge`: when the chat checks the address. */
export const chatAccepted = inboundAccepted.extend({ challenge: z.string().max(1_024).optional() });
