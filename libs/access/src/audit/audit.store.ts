import type { Actor } from '@eas/contracts';
import { newId } from '@eas/core';
import type { Prisma, Tx } from '@eas/db';
import type { AuditRecord } from './audit.ts';

/** Records an action in its own transaction: both or neither. */
export async function recordAudit(tx: Tx, { id, via = {} }: Actor, { action, target, data }: AuditRecord) {
  const { credentialId, remoteAddress, requestId } = via;
  const entry = { tenantId: tx.tenantId, id: newId('auditEntry'), action, actorId: id, targetId: target };
  await tx.db.prisma.auditEntry.create({
    data: { ...entry, data: (data ?? {}) as Prisma.InputJsonObject, credentialId, remoteAddress, requestId },
    select: { id: true },
  });
}
