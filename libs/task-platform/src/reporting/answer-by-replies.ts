import type { EventData, StoredEvent } from '@eas/contracts';
import { AppError } from '@eas/core';
import { contextInTransaction, type UseCaseContext } from '@eas/db';
import { answerInput, getInput } from '@eas/tasks';
import { type OwnComment, readOwnComments } from '@eas/platform-calls';
import { answerOf, type PostedQuestion } from './reply.ts';

/** Consumer `platform.hear`: what people write on the platform becomes the answer to what an agent asked there. */
export async function answerByReplies(ctx: UseCaseContext, events: readonly StoredEvent[]): Promise<void> {
  const replies = events.flatMap((event) => (event.type === 'platform.replied' ? [event.data] : []));
  for (const reply of replies.sort((a, b) => a.at - b.at)) await answerByReply(ctx, reply);
}

async function answerByReply(ctx: UseCaseContext, reply: EventData<'platform.replied'>): Promise<void> {
  const { integration_id: integrationId, external_id: externalId, author, text, parent_id: parentId, at } = reply;
  const own = await readOwnComments(ctx, [{ integrationRef: integrationId, externalId }]);
  const questions = await waitingQuestions(ctx, own);
  const answered = answerOf(questions, { author, text, parentId, at });
  if (!answered) return;
  const { inputId } = answered;
  try {
    await ctx.inTransaction((tx) =>
      answerInput({ ...contextInTransaction(ctx, tx), actor: { id: integrationId } }, answered),
    );
    ctx.logger.info({ inputId, integrationId, externalId }, 'input answered on the platform');
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    ctx.logger.info({ inputId, integrationId, externalId, reason: error.message }, 'reply not taken as an answer');
  }
}

/** The oldest first. */
async function waitingQuestions(ctx: UseCaseContext, own: readonly OwnComment[]): Promise<PostedQuestion[]> {
  const asked = own.filter(({ kind }) => kind === 'question').reverse();
  const questions: PostedQuestion[] = [];
  for (const { key, result } of asked) {
    const input = await getInput(ctx, { inputId: key, scopes: ['tasks:read'] });
    if (input.status === 'pending')
      questions.push({ input, commentId: result?.id ?? null, date: result?.date ?? null });
  }
  return questions;
}
