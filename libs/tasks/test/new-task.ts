import type { NewTask } from '../src/moves/new-task.ts';

/** A plain task of the role rd, with the fields of a test. */
export const newTask = (given: Partial<NewTask> = {}): NewTask => ({
  title: 't',
  description: 'd',
  priority: 'medium',
  due_date: null,
  assigned_role: 'rd',
  assigned_agent: null,
  tags: [],
  metadata: {},
  ...given,
});
