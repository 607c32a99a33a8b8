import type { ReconcileResource } from '@eas/contracts';
import { AppError, formatTimestamp } from '@eas/core';
import type { CallKey } from '../calls/platform-call.ts';

type ReconcileStatus = ReconcileResource['status'];

/** Where a reconciliation goes on. Dates are Unix milliseconds. */
export type ReconcileCursor = {
  /** The workspace, once it is known. */
  team?: string;
  /** Tasks that were changed after this moment; `since` at first. */
  after?: number;
  page?: number;
  /** Tasks of the last page that have its newest date: they may be listed again. */
  edge?: string[];
  pages?: number;
};

export type Reconcile = {
  id: string;
  integrationId: string;
  /** The database has a constraint. */
  status: string;
  since: Date;
  until: Date | null;
  cursor: ReconcileCursor;
  seen: number;
  created: number;
  updated: number;
  unchanged: number;
  failed: number;
  lastError: string | null;
  createdBy: string;
  createdAt: Date;
  updatedAt: Date;
  finishedAt: Date | null;
};

export const pageCallOf = ({ id, integrationId }: Pick<Reconcile, 'id' | 'integrationId'>): CallKey => ({
  integrationId,
  kind: 'page',
  externalId: '',
  key: id,
});

export function reconcileResource(row: Reconcile): ReconcileResource {
  return {
    id: row.id,
    integration_id: row.integrationId,
    status: row.status as ReconcileStatus,
    since: formatTimestamp(row.since),
    until: row.until && formatTimestamp(row.until),
    seen: row.seen,
    created: row.created,
    updated: row.updated,
    unchanged: row.unchanged,
    failed: row.failed,
    last_error: row.lastError,
    created_by: row.createdBy,
    created_at: formatTimestamp(row.createdAt),
    updated_at: formatTimestamp(row.updatedAt),
    finished_at: row.finishedAt && formatTimestamp(row.finishedAt),
  };
}

export const noReconcile = () => new AppError('not_found', { message: 'The reconciliation does not exist.' });
