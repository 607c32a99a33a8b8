import type { CreateTaskBody } from '@eas/contracts';

export type NewTask = CreateTaskBody & {
  /** A project that it gets unless that is unknown or archived; else the one that its metadata means. */
  suggested_project?: string;
  /** The task waits for its platform and cannot be claimed yet. */
  is_held?: boolean;
  /** The task whose work it reviews, and the agent whose work that is. */
  review_of?: string;
  not_for?: string;
  /** The run whose step it is, and why it is planned for `assigned_agent`, which else is the one that may do it. */
  workflow_run_id?: string;
  plan_reason?: string;
};

/** A new task with all that it left to its project, and else to what tasks begin with. */
export type FilledTask = Omit<NewTask, 'suggested_project' | 'project' | 'assigned_role' | 'priority' | 'tags'> & {
  project: string | null;
  assigned_role: string | null;
  priority: NonNullable<NewTask['priority']>;
  tags: string[];
};
