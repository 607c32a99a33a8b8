import { scopes } from '@eas/contracts';
import { AppError } from '@eas/core';
import { contextInTransaction, type UseCaseContext } from '@eas/db';
import { answerInput, getInput } from '@eas/tasks';
import { z } from 'zod';
import { insertEdits, responseUrlCell } from '../messages/chat-message.store.ts';
import { answerOfAction, questionOf, targetOfBlock } from '../templates/question-message.ts';
import type { ChatRefusal } from './chat-request-signature.ts';
import { insertClick, isAskedThere } from './chat-click.store.ts';

const shortText = z.string().max(2_048);

/** A click on a button, of what the chat sends with it the part that counts. */
export const clickPayload = z.looseObject({
  type: z.literal('block_actions'),
  user: z.looseObject({ id: shortText, name: shortText.nullish(), username: shortText.nullish() }),
  response_url: shortText.nullish(),
  actions: z
    .array(z.looseObject({ action_id: shortText, block_id: shortText }))
    .min(1)
    .max(50),
});
type ClickPayload = z.infer<typeof clickPayload>;

/** `signature` is that of the request: the same request again does nothing. */
export type Click = { integrationId: string; signature: string; payload: ClickPayload };

/**
 * Answers the input that a button belongs to, as the person who clicked, and has its message show what became of it: also
 * when it was answered before or is over. A click that answers nothing is ignored.
 */
export async function answerByClick(
  ctx: UseCaseContext,
  { integrationId, signature, payload }: Click,
): Promise<'stored' | 'ignored' | Extract<ChatRefusal, 'repeated' | 'not_ours'>> {
  const [action] = payload.actions;
  const target = action && targetOfBlock(action.block_id);
  if (!target) return 'ignored';
  if (target.integrationId !== integrationId) return 'not_ours';
  const { inputId } = target;
  return ctx.inTransaction(async (tx) => {
    if (!(await insertClick(tx, { integrationId, signature }))) return 'repeated';
    if (!(await isAskedThere(tx, target))) return 'not_ours';
    const inner = contextInTransaction(ctx, tx);
    const question = questionOf(await getInput(inner, { inputId, scopes }));
    const body = answerOfAction(action.action_id, question);
    if (!body) return 'ignored';
    const isTaken = await answerInput(inner, { inputId, body, author: nameOf(payload) }).then(() => true, unlessOver);
    // Of an answer that was taken the other messages hear by its event.
    const responseUrl = sealResponseUrl(inner, target, payload);
    await insertEdits(tx, { ...target, responseUrl, isOnlyClicked: isTaken });
    return 'stored';
  });
}

function sealResponseUrl(
  { secrets, tenantId }: UseCaseContext,
  target: { integrationId: string; inputId: string },
  { response_url: url }: ClickPayload,
): string | null {
  return url ? secrets.seal(url, responseUrlCell(tenantId, target)) : null;
}

/** The message then says so. */
function unlessOver(error: unknown): false {
  if (!(error instanceof AppError) || (error.code !== 'conflict' && error.code !== 'invalid_input')) throw error;
  return false;
}

function nameOf({ user }: ClickPayload): string {
  const name = [user.name, user.username, user.id].find((text) => text?.trim()) ?? 'somebody';
  return name.replaceAll('\0', '').slice(0, 200).toWellFormed();
}
