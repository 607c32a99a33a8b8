import { type DbScope, rowByKeySql } from '@eas/db';
import type { PlatformKind } from '@eas/contracts';
import type { StoredComment } from './comment-copy.ts';
import type { ObjectCopy } from './platform-object.ts';
import type { TaskChange } from './task-change.ts';

/** Lists, folders, spaces, goals and key results. */
export type PlaceKind = Exclude<PlatformKind, 'task'>;

/** What is kept of a thing of the platform, by its kind. */
type ObjectData = Record<PlaceKind, Record<string, unknown>> & {
  comment: StoredComment;
  /** The tombstone of a task that we never knew. Its data and `updatedAt` say the same to the previous release. */
  task: { is_deleted: true };
  /** The newest changes of what is no task as long as it has no label that makes it one. */
  unlabelled: { changes?: TaskChange[] };
};
export type ObjectKind = keyof ObjectData;

/** Names a thing of the platform that a row of its own is kept of. */
export type ObjectKey<K extends ObjectKind = ObjectKind> = { integrationRef: string; kind: K; externalId: string };

export type ObjectOf<K extends ObjectKind> = ObjectKey<K> &
  ObjectCopy<ObjectData[K]> &
  (K extends 'task' ? { deletedAt: Date } : unknown);
export type PlatformObject = { [K in ObjectKind]: ObjectOf<K> }[ObjectKind];

const readSql = `
  SELECT o.integration_ref AS "integrationRef", o.kind, o.external_id AS "externalId", o.data,
         o.field_dates AS "fieldDates", o.updated_at AS "updatedAt",
         coalesce(o.deleted_at, CASE WHEN o.kind = 'task' THEN o.updated_at END) AS "deletedAt"
  FROM (SELECT DISTINCT * FROM unnest($2::text[], $3::text[], $4::text[]) AS s (ref, kind, external)) AS s
  ${rowByKeySql('o', {
    from: 'platform_objects o',
    where: 'o.tenant_id = $1 AND o.integration_ref = s.ref AND o.kind = s.kind AND o.external_id = s.external',
  })}`;

export async function readPlatformObjects(
  { db, tenantId }: DbScope,
  keys: readonly ObjectKey[],
): Promise<PlatformObject[]> {
  if (keys.length === 0) return [];
  const columns = [keys.map((k) => k.integrationRef), keys.map((k) => k.kind), keys.map((k) => k.externalId)];
  return db.query<PlatformObject>(readSql, [tenantId, ...columns]);
}

/** Kinds that are about no task of ours: only later changes need them. */
const removedWhenOld: readonly ObjectKind[] = ['task', 'unlabelled'];

const saveSql = `
  INSERT INTO platform_objects (tenant_id, integration_ref, kind, external_id, data, field_dates, updated_at,
    deleted_at, needed_at)
  SELECT $1, s."integrationRef", s.kind, s."externalId", s.data, s."fieldDates", s."updatedAt", s."deletedAt",
    CASE WHEN s.kind = ANY ($3) THEN app_now() END
  FROM json_to_recordset($2::json) AS s ("integrationRef" text, kind text, "externalId" text, data jsonb,
    "fieldDates" jsonb, "updatedAt" timestamptz, "deletedAt" timestamptz)
  ON CONFLICT (tenant_id, integration_ref, kind, external_id) DO UPDATE
  SET data = excluded.data, field_dates = excluded.field_dates, updated_at = excluded.updated_at,
    deleted_at = excluded.deleted_at, needed_at = excluded.needed_at`;

/** Writes objects that this transaction has locked; each once. */
export async function savePlatformObjects(
  { db, tenantId }: DbScope,
  objects: readonly PlatformObject[],
): Promise<void> {
  if (objects.length > 0) await db.query(saveSql, [tenantId, JSON.stringify(objects), removedWhenOld]);
}
