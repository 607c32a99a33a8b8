import { applyReadTasks } from '../applying/apply-read-tasks.ts';
import { type PlatformClient, type PlatformTask, readApiTask } from '@eas/task-platform';
import type { UseCaseContext } from '@eas/db';
import { type CallOutcome, restOf, type TakenCall } from '@eas/platform-calls';

/** Reads a task, and applies it as reported by its last change. */
export async function readTask(client: PlatformClient, call: TakenCall): Promise<CallOutcome> {
  const response = await client.readTask(call.externalId);
  if (response.kind !== 'ok') return { kind: 'response', failure: response, ...restOf(response) };
  return { kind: 'done', ...restOf(response), apply: (ctx) => applyOne(ctx, call, response.value) };
}

/** The id of the call: the platform may know the task by another one as well. */
export async function applyOne(ctx: UseCaseContext, call: TakenCall, task: PlatformTask): Promise<void> {
  const reported = await readApiTask(task);
  if (reported) await applyReadTasks(ctx, call.integrationId, [{ externalId: call.externalId, reported }]);
}
