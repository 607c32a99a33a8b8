import { z } from 'zod';

const id = z.union([z.string().max(255), z.number()]).transform(String);
const named = z.looseObject({ id: id.nullish(), name: z.string().nullish(), hidden: z.boolean().nullish() });

/** A task as the platform's API gives it. What is not as expected is left out, but for the id and the date. */
export const platformTask = z.looseObject({
  id,
  date_updated: z.union([z.string(), z.number()]),
  name: z.string().nullish().catch(null),
  text_content: z.string().nullish().catch(null),
  description: z.string().nullish().catch(null),
  status: z.looseObject({ status: z.string() }).nullish().catch(null),
  priority: z.unknown().optional(),
  due_date: z.union([z.string(), z.number()]).nullish().catch(undefined),
  start_date: z.union([z.string(), z.number()]).nullish().catch(undefined),
  time_estimate: z.union([z.string(), z.number()]).nullish().catch(undefined),
  time_spent: z.union([z.string(), z.number()]).nullish().catch(undefined),
  tags: z.array(z.unknown()).max(1_000).nullish().catch(null),
  assignees: z.array(z.unknown()).max(1_000).nullish().catch(null),
  list: named.nullish().catch(null),
  folder: named.nullish().catch(null),
  space: named.nullish().catch(null),
});
export type PlatformTask = z.infer<typeof platformTask>;

/** A page of tasks. One that cannot be read is counted in `unreadable`. */
export const platformTaskPage = z
  .looseObject({ tasks: z.array(z.unknown()).max(1_000), last_page: z.boolean().nullish().catch(null) })
  .transform(({ tasks, last_page: isLast }) => {
    const read = tasks.flatMap((task) => platformTask.safeParse(task).data ?? []);
    return { tasks: read, unreadable: tasks.length - read.length, isLast: isLast ?? tasks.length === 0 };
  });
export type PlatformTaskPage = z.infer<typeof platformTaskPage>;

/** Workspaces that a token can see. */
export const platformTeams = z
  .looseObject({ teams: z.array(z.looseObject({ id })).max(1_000) })
  .transform(({ teams }) => teams.map((team) => team.id));

/** Statuses of a list, in the order in which work moves through them. */
export const platformStatuses = z
  .looseObject({
    statuses: z.array(z.looseObject({ status: z.string(), type: z.string().nullish().catch(null) })).max(200),
  })
  .transform(({ statuses }) => statuses.map(({ status, type }) => ({ status, type: type ?? null })));
export type PlatformListStatus = z.infer<typeof platformStatuses>[number];

/** Answer to a comment that was posted. `date` is in Unix milliseconds. */
export const postedComment = z.looseObject({
  id,
  hist_id: id.nullish().catch(null),
  date: z.coerce.number().int().nullish().catch(null),
});
export type PostedComment = { id: string; date: number | null };

/** The newest comments of a task. */
export const platformComments = z
  .looseObject({
    comments: z
      .array(z.looseObject({ id, comment_text: z.string().nullish().catch(null), date: z.unknown().optional() }))
      .max(1_000),
  })
  .transform(({ comments }) =>
    comments.map((one) => ({ id: one.id, text: one.comment_text ?? '', date: Number(one.date) || null })),
  );
