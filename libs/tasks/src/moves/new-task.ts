import type { CreateTaskBody } from '@eas/contracts';

export type NewTask = CreateTaskBody & {
  /** A project for the task, unless unknown or archived; otherwise the one that its metadata refers to. */
  suggested_project?: string;
  /** The task waits for its platform and cannot be claimed yet. */
  is_held?: boolean;
  /** The task whose work it reviews, and the agent whose work that is. */
  review_of?: string;
  not_for?: string;
  /** The run whose step it is, and why it is planned for `assigned_agent`; without a reason the agent is pinned. */
  workflow_run_id?: string;
  plan_reason?: string;
};

/** A new task with the defaults of its project, otherwise the general ones. */
export type FilledTask = Omit<NewTask, 'suggested_project' | 'project' | 'assigned_role' | 'priority' | 'tags'> & {
  project: string | null;
  assigned_role: string | null;
  priority: NonNullable<NewTask['priority']>;
  tags: string[];
};
