import { z } from 'zod';
import { timestampInput } from './fields.ts';
import { listQuery } from './list.ts';

const text = z.string().max(500);
const moment = (description: string) => timestampInput.meta({ description });

/** The query of GET /v1/tasks: every field that items show, and what tasks have beside. */
export const taskListQuery = listQuery({
  sortable: ['created_at', 'id', 'title', 'status', 'priority', 'assigned_role', 'assigned_agent', 'due_date'],
  filters: {
    id: text,
    title: text,
    status: text,
    priority: text,
    assigned_role: text,
    assigned_agent: text,
    created_at: timestampInput,
    due_date: timestampInput,
    tag: text.meta({ description: 'Tasks that have the tag.' }),
    workflow_run_id: text.meta({ description: 'Tasks of a workflow run.' }),
    created_after: moment('Tasks created later than that.'),
    created_before: moment('Tasks created earlier than that.'),
    due_before: moment('Tasks due earlier than that.'),
    'metadata.ticket_id': text.meta({ description: 'Tasks with that ticket_id in their metadata.' }),
    'metadata.repository': text.meta({ description: 'Tasks with that repository in their metadata.' }),
  },
});

/** Filters of the task list; an absent one matches everything. */
export type TaskFilter = Omit<z.output<typeof taskListQuery>, 'limit' | 'offset' | 'after' | 'sort'>;
