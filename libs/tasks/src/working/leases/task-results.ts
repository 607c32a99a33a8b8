import type { CompleteBody } from '@eas/contracts';
import type { Task } from '../../records/tasks/task.ts';

export type TaskResults = Omit<CompleteBody, 'fencing_token'>;

/** Stores with a task its agent's result; the task is no longer claimed. */
export function keepResults(task: Task, taskResults: TaskResults): void {
  task.leaseId = null;
  task.codeQuality = taskResults.scores?.code_quality ?? null;
  task.requirementsClarity = taskResults.scores?.requirements_clarity ?? null;
  task.result = taskResults;
}
