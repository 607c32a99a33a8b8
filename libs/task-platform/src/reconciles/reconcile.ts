import { type JobKind, jobResource, type JobRow } from '@eas/bulk-jobs';
import type { ReconcileResource } from '@eas/contracts';
import { formatTimestamp } from '@eas/core';
import type { CallKey } from '@eas/platform-calls';

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

type Counts = Pick<ReconcileResource, 'seen' | 'created' | 'updated' | 'unchanged' | 'failed'>;

export type Reconcile = JobRow &
  Pick<ReconcileResource, 'status'> &
  Counts & {
    integrationId: string;
    since: Date;
    until: Date | null;
    cursor: ReconcileCursor;
    lastError: string | null;
  };

/** It is advanced by calls to the platform; an integration has at most one that runs. */
export const reconcileKind: JobKind<Reconcile> = {
  name: 'reconciliation',
  table: 'platform_reconciles',
  idKind: 'reconcile',
  own: {
    integrationId: true,
    since: true,
    until: true,
    cursor: true,
    seen: true,
    created: true,
    updated: true,
    unchanged: true,
    failed: true,
    lastError: true,
  },
  limits: { lock: 'running reconciliations', perSubject: { field: 'integrationId' } },
};

export const pageCallOf = ({ id, integrationId }: Pick<Reconcile, 'id' | 'integrationId'>): CallKey => ({
  integrationId,
  kind: 'page',
  externalId: '',
  key: id,
});

export function reconcileResource(row: Reconcile): ReconcileResource {
  const { seen, created, updated, unchanged, failed } = row;
  const range = { since: formatTimestamp(row.since), until: row.until && formatTimestamp(row.until) };
  const own = { ...range, seen, created, updated, unchanged, failed, last_error: row.lastError };
  return jobResource(row, { integration_id: row.integrationId }, own);
}
