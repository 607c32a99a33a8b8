import { z } from 'zod';
import { timestampInput } from '../fields.ts';
import { listQuery } from './list.ts';
import { taskStatuses } from './tasks.ts';

/** Used instead of an agent's id in the filter of tasks. */
export const withoutAgent = 'none';

const text = z.string().max(500);
const openList = (what: string) =>
  text.meta({ description: `Only tasks with this ${what}. A ${what} that no task has gives an empty page.` });
const moment = (description: string) => timestampInput.meta({ description });

const query = listQuery({
  sortable: [
    'created_at',
    'id',
    'title',
    'status',
    'priority',
    'assigned_role',
    'assigned_agent',
    'due_date',
    'review_since',
    'failed_at',
  ],
  filters: {
    id: text,
    title: text,
    status: openList('status'),
    priority: openList('priority'),
    assigned_role: openList('role'),
    assigned_agent: text.meta({
      description: `Only tasks of this agent. \`${withoutAgent}\`: only tasks without an agent.`,
    }),
    created_at: timestampInput,
    due_date: timestampInput,
    tag: text.meta({ description: 'Only tasks with this tag.' }),
    workflow_run_id: text.meta({ description: 'Only tasks of this workflow run.' }),
    project: text.meta({ description: 'Only tasks of this project.' }),
    review_by: text.meta({
      description:
        'Only tasks in review that a person decides about (`person`), or an agent that reviews them (`agent`).',
    }),
    created_after: moment('Only tasks that were created after this time.'),
    created_before: moment('Only tasks that were created before this time.'),
    due_before: moment('Only tasks that are due before this time.'),
    is_overdue: z.enum(['true']).meta({
      description: 'Only tasks that are past their due date and not final.',
    }),
    failed_after: moment('Only tasks in the status `failed` that failed after this time.'),
    'metadata.ticket_id': text.meta({ description: 'Only tasks with this `ticket_id` in their metadata.' }),
    'metadata.repository': text.meta({ description: 'Only tasks with this `repository` in their metadata.' }),
  },
});

/** Orders that only an index of the filtered tasks gives. */
export const taskListQuery = query
  .refine(({ sort, review_by: reviewer }) => !sort?.endsWith('review_since') || reviewer !== undefined, {
    path: ['sort'],
    params: { constraint: 'format' },
    message: 'must not be review_since without review_by',
  })
  .refine(({ sort, failed_after: after }) => !sort?.endsWith('failed_at') || after !== undefined, {
    path: ['sort'],
    params: { constraint: 'format' },
    message: 'must not be failed_at without failed_after',
  });

export type TaskFilter = Omit<z.output<typeof taskListQuery>, 'limit' | 'offset' | 'after' | 'sort'>;

const countedIn = (status: TaskStatusName) =>
  z
    .int()
    .min(0)
    .max(999_999_999_999_999)
    .describe(`Number of tasks that are ${status.replace('_', ' ')}.`);

const exampleByStatus = Object.fromEntries(taskStatuses.map((status) => [status, status === 'open' ? 3 : 0]));
const byStatus = z
  .object(
    Object.fromEntries(taskStatuses.map((status) => [status, countedIn(status)])) as Record<TaskStatusName, z.ZodInt>,
  )
  .meta({ id: 'TaskCountsByStatus', description: 'Number of tasks in each status.', example: exampleByStatus });

export const taskCounts = z
  .object({ by_status: byStatus })
  .meta({ id: 'TaskCounts', description: 'How many tasks there are.', example: { by_status: exampleByStatus } });
type TaskStatusName = (typeof taskStatuses)[number];
export type TaskCounts = z.infer<typeof taskCounts>;
