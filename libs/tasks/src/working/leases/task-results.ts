import type { CompleteBody } from '@eas/contracts';
import type { Task } from '../../records/tasks/task.ts';

export type TaskResults = Omit<CompleteBody, 'fencing_token'>;

/** Keeps with a task what its agent says of the work; nobody holds it any more. */
export function keepResults(task: Task, taskResults: TaskResults): void {
  task.leaseId = null;
  task.codeQuality = taskResults.scores?.code_quality ?? null;
  task.requirementsClarity = taskResults.scores?.requirements_clarity ?? null;
  task.result = taskResults;
}
