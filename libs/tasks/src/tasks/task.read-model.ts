import type { Milestone, Page, PageOfItems } from '@eas/contracts';
import { type DbScope, equals, fetchPage, type ListSource } from '@eas/db';
import type { Task } from './task.ts';

type ListedTask = Pick<
  Task,
  'id' | 'title' | 'status' | 'priority' | 'assignedRole' | 'assignedAgent' | 'createdAt' | 'dueDate'
>;

/** Filters of the task list; an absent one matches everything. */
export type TaskFilter = Partial<
  Record<'id' | 'status' | 'priority' | 'assigned_role' | 'assigned_agent' | 'title', string> &
    Record<'created_at' | 'due_date', Date>
>;

const source: ListSource = {
  from: 'tasks',
  columns: `id, title, status, priority, assigned_role AS "assignedRole", assigned_agent AS "assignedAgent",
    created_at AS "createdAt", due_date AS "dueDate"`,
  sortable: {
    id: { sql: 'id', type: 'text' },
    title: { sql: 'title', type: 'text' },
    status: { sql: 'status', type: 'text' },
    priority: { sql: 'priority', type: 'text' },
    assigned_role: { sql: 'assigned_role', type: 'text', isNullable: true },
    assigned_agent: { sql: 'assigned_agent', type: 'text', isNullable: true },
    created_at: { sql: 'created_at', type: 'timestamptz' },
    due_date: { sql: 'due_date', type: 'timestamptz', isNullable: true },
  },
};

/** A page of tasks and how many match in all. */
export async function pageTasks(scope: DbScope, filter: TaskFilter, page: Page): Promise<PageOfItems<ListedTask>> {
  const conditions = Object.entries(filter).map(([column, value]) => equals(column, value));
  return fetchPage<ListedTask>(scope, source, conditions, page);
}

export type TaskWithProgress = ListedTask &
  Pick<Task, 'description' | 'tags' | 'metadata' | 'updatedAt' | 'version'> & {
    percentComplete: number | null;
    estimateRemaining: string | null;
    milestones: Milestone[];
  };

const oneSql = `
  SELECT id, title, description, status, priority, assigned_role AS "assignedRole", assigned_agent AS "assignedAgent",
    created_at AS "createdAt", due_date AS "dueDate", tags, metadata, updated_at AS "updatedAt", version,
    percent_complete AS "percentComplete", estimate_remaining AS "estimateRemaining", milestones
  FROM tasks WHERE tenant_id = $1 AND id = $2`;

export async function findTask({ db, tenantId }: DbScope, id: string): Promise<TaskWithProgress | undefined> {
  const [task] = await db.query<TaskWithProgress>(oneSql, [tenantId, id]);
  return task;
}

const existsSql = 'SELECT FROM tasks WHERE tenant_id = $1 AND id = $2';

export async function taskExists({ db, tenantId }: DbScope, id: string): Promise<boolean> {
  return (await db.query(existsSql, [tenantId, id])).length > 0;
}
