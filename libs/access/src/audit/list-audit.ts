import type { AuditEntry, Page, PageOfItems } from '@eas/contracts';
import { formatTimestamp } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { type AuditFilter, type NamedAuditRow, pageAudit } from './audit.read-model.ts';

export async function listAudit(
  ctx: UseCaseContext,
  filter: AuditFilter,
  page: Page,
): Promise<PageOfItems<AuditEntry>> {
  const { items, ...rest } = await pageAudit(ctx, filter, page);
  return { ...rest, items: items.map(entryOf) };
}

const entryOf = (row: NamedAuditRow): AuditEntry => ({
  id: row.id,
  action: row.action,
  actor_id: row.actorId,
  credential_id: row.credentialId,
  target_id: row.targetId,
  names: row.names,
  data: row.data,
  remote_address: row.remoteAddress,
  request_id: row.requestId,
  created_at: formatTimestamp(row.createdAt),
});
