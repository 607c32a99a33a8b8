import type { UseCaseContext } from '@eas/db';
import { recordAudit } from '../audit/audit.store.ts';
import { deleteSession } from '../sessions/session.store.ts';

/** Ends a session. One that has ended stays so. */
export async function signOut(ctx: UseCaseContext, sessionId: string): Promise<void> {
  await ctx.inTransaction(async (tx) => {
    if (!(await deleteSession(tx, sessionId))) return;
    tx.notify('access', sessionId);
    await recordAudit(tx, ctx.actor, { action: 'session.ended', target: sessionId });
  });
}
