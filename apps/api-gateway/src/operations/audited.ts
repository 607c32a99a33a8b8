import { type AuditRecord, recordAudit } from '@eas/access';
import { contextInTransaction, type UseCaseContext } from '@eas/db';

/** A change and its entry in the audit log: both or none. Throws what `work` throws. Undefined of `entryOf`: no entry. */
export function audited<T>(
  ctx: UseCaseContext,
  work: (inner: UseCaseContext) => Promise<T>,
  entryOf: (result: T) => AuditRecord | undefined,
): Promise<T> {
  return ctx.inTransaction(async (tx) => {
    const result = await work(contextInTransaction(ctx, tx));
    const entry = entryOf(result);
    if (entry) await recordAudit(tx, ctx.actor, entry);
    return result;
  });
}
