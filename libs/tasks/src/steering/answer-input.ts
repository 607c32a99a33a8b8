import { isDeepStrictEqual } from 'node:util';
import type { Actor, AnswerInputBody, InputResource } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { Tx, UseCaseContext } from '@eas/db';
import { assertPerson } from '../records/acceptance/assert-person.ts';
import { sendDirective } from '../moves/send-directive.ts';
import { lockLeasesOn } from '../records/leases/lease.store.ts';
import { awaitRevival } from '../records/leases/parked-lease.store.ts';
import { startChange, type TaskChange } from '../moves/task-change.ts';
import { lockTask } from '../records/tasks/task.store.ts';
import { noSuchInput } from '../reading/get-input.ts';
import { answerTo } from '../records/inputs/answer-to.ts';
import { type Input, type InputAnswer, toInputResource } from '../records/inputs/input.ts';
import { findInput } from '../reading/input.read-model.ts';
import { keepAnswer, lockInput } from '../records/inputs/input.store.ts';
import { rememberPermission } from '../records/permissions/task-permission.store.ts';

/** `author`: who answers, where another system names them. */
export type InputAnswering = { inputId: string; body: AnswerInputBody; author?: string };

/**
 * The same answer again gets the same response. Throws 409 `state` when answered otherwise, expired or cancelled, and
 * 403 for an agent that would answer itself or approve.
 */
export async function answerInput(
  ctx: UseCaseContext,
  { inputId, body, author }: InputAnswering,
): Promise<InputResource> {
  const found = await findInput(ctx, inputId);
  if (!found) throw noSuchInput();
  assertMayAnswer(ctx.actor, found);
  const answer = answerTo(found, body);
  return ctx.inTransaction(async (tx) => {
    await lockLeasesOn(tx, [found.taskId]);
    const task = await lockTask(tx, found.taskId);
    const input = await lockInput(tx, inputId);
    if (!task || !input) throw noSuchInput();
    const change = startChange(tx, task, { at: ctx.clock.now(), actor: ctx.actor.id });
    if (input.status === 'pending' && !input.isDue)
      return toInputResource(await keep(tx, change, input, author === undefined ? answer : { ...answer, author }));
    if (input.status !== 'answered' || !isSame(input.answer, answer)) throw isOver(input);
    change.release();
    return toInputResource(input);
  });
}

function assertMayAnswer(actor: Actor, { agentId, kind }: Input): void {
  if (kind === 'approval' || kind === 'permission') assertPerson(actor, `answer ${named[kind]}`, 'A person does that.');
  if (agentId === actor.agentId) assertPerson(actor, 'answer its own question', 'Somebody else does that.');
}

const named = { approval: 'an approval', permission: 'a request for permission' };

async function keep(tx: Tx, change: TaskChange, input: Input, answer: InputAnswer): Promise<Input> {
  const { at, actor } = change;
  const { author: _author, ...said } = answer;
  await keepAnswer(tx, { id: input.id, answer, by: actor, at });
  if (input.permission && answer.decision === 'allow_always') await rememberPermission(tx, input, { by: actor, at });
  if (input.isBlocking) await awaitRevival(tx, input.leaseId);
  await sendDirective(tx, change, { kind: 'answer', data: { input_id: input.id, ...said } });
  change.addEntry('answer', { input_id: input.id, ...answer });
  change.emit('task.answered', { input_id: input.id, status: 'answered', answered_by: actor });
  change.save();
  return { ...input, status: 'answered', answer, answeredBy: actor, answeredAt: at };
}

/** The person who gives it. */
function isSame(kept: InputAnswer | null, answer: InputAnswer): boolean {
  const { author: _author, ...said } = kept ?? {};
  return isDeepStrictEqual(said, answer);
}

function isOver({ status }: Input): AppError {
  const reasons = { answered: 'already has another answer', cancelled: 'was cancelled', expired: 'has expired' };
  const message = `The input ${status === 'pending' ? reasons.expired : reasons[status]}.`;
  return new AppError('conflict', { field: 'status', constraint: 'state', message });
}
