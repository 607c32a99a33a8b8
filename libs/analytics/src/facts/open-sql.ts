/** Facts of a task that has a due date and is not final, as the index `analytics_task_facts_overdue_idx` has it. */
export const isOpenAndDatedSql = `due_date IS NOT NULL AND status NOT IN ('completed', 'failed', 'cancelled')`;
