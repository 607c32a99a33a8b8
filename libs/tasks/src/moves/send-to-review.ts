import type { Acceptance } from '@eas/contracts';
import { contextInTransaction, type Tx, type UseCaseContext } from '@eas/db';
import { lockAssignable } from '../records/agents/agent.store.ts';
import { createTask } from './create-task.ts';
import type { TaskChange } from './task-change.ts';
import type { Task } from '../records/tasks/task.ts';
import { maxFindings } from '../records/acceptance/line-findings.ts';

/** The acceptance rules of every review: the result that completes a review task. */
const reviewAcceptance: Acceptance = {
  result_schema: {
    type: 'object',
    required: ['decision'],
    properties: {
      decision: { enum: ['approve', 'reject'] },
      comment: { type: 'string', minLength: 1, maxLength: 65_536 },
      findings: {
        type: 'array',
        maxItems: maxFindings,
        items: {
          type: 'object',
          required: ['path', 'body'],
          properties: {
            path: { type: 'string', minLength: 1, maxLength: 1_024 },
            line: { type: 'integer', minimum: 1 },
            body: { type: 'string', minLength: 1, maxLength: 8_192 },
          },
        },
      },
    },
  },
};

/**
 * Requests a review by another agent as a child task. A person decides if the acceptance rules say so or the reviewer
 * is gone.
 */
export async function sendToReview(
  ctx: UseCaseContext,
  tx: Tx,
  change: TaskChange,
  {
    author,
    reviewer,
    reason,
  }: { author: string; reviewer: NonNullable<Acceptance['review']>; reason?: string | undefined },
): Promise<void> {
  const { task, move, emit } = change;
  const { role = null, agent_id: agentId = null } = reviewer;
  move('in_review', reason);
  emit('task.updated', { from: 'in_progress', to: 'in_review', changed: ['status'] });
  // The author of the work, until the review has decided.
  task.completedBy = author;
  if (reviewer.person) return;
  if (agentId !== null && (agentId === author || !(await lockAssignable(tx, agentId)))) return;
  const inner = { ...contextInTransaction(ctx, tx), actor: { id: author } };
  const draft = { ...describe(task), assigned_role: role, assigned_agent: agentId, contract: reviewAcceptance };
  task.reviewTaskId = (await createTask(inner, { ...draft, review_of: task.id, not_for: author })).id;
}

function describe({ id, title, description, priority, dueDate, projectId }: Task) {
  const text = `Decide whether the work on task ${id} is good.\n\n${description}`;
  return {
    title: `Review: ${title}`.slice(0, 500).toWellFormed(),
    description: text.slice(0, 65_536).toWellFormed(),
    priority,
    due_date: dueDate,
    project: projectId,
    tags: [],
    metadata: { review_of: id },
  };
}
