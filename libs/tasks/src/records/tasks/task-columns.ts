import type { Milestone, Acceptance, taskPriorities, taskStatuses } from '@eas/contracts';
import { column, sqlOf } from '@eas/db';

export type TaskStatus = (typeof taskStatuses)[number];
export type TaskPriority = (typeof taskPriorities)[number];

export const taskColumns = {
  id: column<string>('id', 'text'),
  title: column<string>('title', 'text'),
  description: column<string>('description', 'text'),
  status: column<TaskStatus>('status', 'text'),
  priority: column<TaskPriority>('priority', 'text'),
  dueDate: column<Date | null>('due_date', 'timestamptz'),
  assignedRole: column<string | null>('assigned_role', 'text'),
  assignedAgent: column<string | null>('assigned_agent', 'text'),
  tags: column<string[]>('tags', 'text[]'),
  metadata: column<Record<string, unknown>>('metadata', 'jsonb'),
  createdAt: column<Date>('created_at', 'timestamptz'),
  updatedAt: column<Date>('updated_at', 'timestamptz'),
  version: column<number>('version', 'int'),
  timelineSeq: column<number>('timeline_seq', 'int'),
  fencingToken: column<number>('fencing_token', 'int'),
  leaseId: column<string | null>('lease_id', 'text'),
  /** Failures that agents reported, and leases that were lost: each of the two may fail the task. */
  failures: column<number>('failures', 'int'),
  lostLeases: column<number>('lost_leases', 'int'),
  notBefore: column<Date | null>('not_before', 'timestamptz'),
  /** The agent that lost or gave back the last lease: others come first. It may not claim the task before then. */
  lostBy: column<string | null>('lost_by', 'text'),
  restsUntil: column<Date | null>('rests_until', 'timestamptz'),
  isHeld: column<boolean>('is_held', 'boolean'),
  isPinned: column<boolean>('is_pinned', 'boolean'),
  firstClaimedAt: column<Date | null>('first_claimed_at', 'timestamptz'),
  completedAt: column<Date | null>('completed_at', 'timestamptz'),
  completedBy: column<string | null>('completed_by', 'text'),
  codeQuality: column<number | null>('code_quality', 'int'),
  requirementsClarity: column<number | null>('requirements_clarity', 'int'),
  result: column<unknown>('result', 'jsonb'),
  percentComplete: column<number | null>('percent_complete', 'int'),
  estimateRemaining: column<string | null>('estimate_remaining', 'text'),
  milestones: column<Milestone[]>('milestones', 'jsonb'),
  commentCount: column<number>('comment_count', 'int'),
  directiveSeq: column<number>('directive_seq', 'int'),
  acceptance: column<Acceptance | null>('contract', 'jsonb'),
  /** The task that this one reviews, and the review that this one waits for. */
  reviewOf: column<string | null>('review_of', 'text'),
  reviewTaskId: column<string | null>('review_task_id', 'text'),
  /** The agent that may not do it: the author of what it reviews. */
  notFor: column<string | null>('not_for', 'text'),
  /** How often the work was sent back since a person last decided about it. */
  reworkRounds: column<number>('rework_rounds', 'int'),
  /** How often work that was handed in was opened again, and when the task was opened again last. */
  sentBack: column<number>('sent_back', 'int'),
  reopenedAt: column<Date | null>('reopened_at', 'timestamptz'),
  /** The commit for whose red checks or conflicts it was sent back. */
  sentBackSha: column<string | null>('sent_back_sha', 'text'),
  /** The newest artifact at that time. */
  sentBackAfter: column<string | null>('sent_back_after', 'text'),
  stalledAt: column<Date | null>('stalled_at', 'timestamptz'),
  workflowRunId: column<string | null>('workflow_run_id', 'text'),
  projectId: column<string | null>('project_id', 'text'),
};

export const taskSql = sqlOf(taskColumns);

/** Since when a task has its status; of one that has not moved since the column was added, as well as its row shows. */
export const statusSinceSql = (task: string) => `
  coalesce(${task}.waits_since, CASE ${task}.status WHEN 'created' THEN ${task}.created_at ELSE ${task}.updated_at END)`;
