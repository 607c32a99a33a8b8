import type { CompleteBody } from '@eas/contracts';
import type { Task } from '../../records/tasks/task.ts';

export type Outcome = Omit<CompleteBody, 'fencing_token'>;

/** Keeps with a task what its agent says of the work; nobody holds it any more. */
export function keepOutcome(task: Task, outcome: Outcome): void {
  task.leaseId = null;
  task.codeQuality = outcome.scores?.code_quality ?? null;
  task.requirementsClarity = outcome.scores?.requirements_clarity ?? null;
  task.result = outcome;
}
