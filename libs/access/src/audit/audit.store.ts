import type { Actor } from '@eas/contracts';
import { newId } from '@eas/core';
import type { Tx } from '@eas/db';
import type { AuditRecord } from './audit.ts';

const insertSql = `
  INSERT INTO audit_log
    (tenant_id, id, action, actor_id, credential_id, target_id, data, remote_address, request_id)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;

/** Writes down an act, in the transaction of the act itself: neither is there without the other. */
export async function recordAudit(tx: Tx, { id, via = {} }: Actor, { action, target, data }: AuditRecord) {
  await tx.db.query(insertSql, [
    tx.tenantId,
    newId('auditEntry'),
    action,
    id,
    via.credentialId,
    target,
    data ?? {},
    via.remoteAddress,
    via.requestId,
  ]);
}
