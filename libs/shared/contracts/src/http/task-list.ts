import { z } from 'zod';
import { timestampInput } from '../fields.ts';
import { listQuery } from './list.ts';

const text = z.string().max(500);
const moment = (description: string) => timestampInput.meta({ description });

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
    tag: text.meta({ description: 'Only tasks with this tag.' }),
    workflow_run_id: text.meta({ description: 'Only tasks of this workflow run.' }),
    review_by: text.meta({
      description:
        'Only tasks in review that a person decides about (`person`), or an agent that reviews them (`agent`).',
    }),
    created_after: moment('Only tasks that were created after this time.'),
    created_before: moment('Only tasks that were created before this time.'),
    due_before: moment('Only tasks that are due before this time.'),
    'metadata.ticket_id': text.meta({ description: 'Only tasks with this `ticket_id` in their metadata.' }),
    'metadata.repository': text.meta({ description: 'Only tasks with this `repository` in their metadata.' }),
  },
});

export type TaskFilter = Omit<z.output<typeof taskListQuery>, 'limit' | 'offset' | 'after' | 'sort'>;
