import {
  integrationListFields,
  type IntegrationListQuery,
  integrationStatuses,
  type NameResource,
  type Page,
  type PageOfItems,
  type PlatformStatusMeaning,
} from '@eas/contracts';
import { type DbScope, equals, fetchPage, type ListSource, selectList } from '@eas/db';
import type { Integration } from './integration.ts';

/** All that is shown: no secrets. */
export const shownFields = {
  id: true,
  type: true,
  status: true,
  statusReason: true,
  config: true,
  connectedAt: true,
  previousSecretUntil: true,
  lastReceivedAt: true,
  lastAppliedAt: true,
  lastErrorAt: true,
  lastErrorReason: true,
  version: true,
} as const;

const maxCounted = 1_000;

/** One integration that was not deleted. */
export async function findIntegration({ db, tenantId }: DbScope, id: string): Promise<Integration | undefined> {
  const row = await db.prisma.integration.findFirst({ where: { tenantId, id, deletedAt: null }, select: shownFields });
  return (row ?? undefined) as Integration | undefined;
}

const callsSql = `
  SELECT w.count AS waiting, f.count AS failed, a.paused_until AS "pausedUntil", coalesce(waiting.error, failed.error) AS error
  FROM platform_apis a,
    LATERAL (SELECT count(*)::int FROM (SELECT FROM platform_calls c WHERE c.tenant_id = $1 AND c.integration_id = $2
      AND c.state = 'waiting' LIMIT ${maxCounted}) AS c) AS w,
    LATERAL (SELECT count(*)::int FROM (SELECT FROM platform_calls c WHERE c.tenant_id = $1 AND c.integration_id = $2
      AND c.state = 'failed' LIMIT ${maxCounted}) AS c) AS f,
    LATERAL (SELECT max(last_error) AS error FROM (SELECT last_error FROM platform_calls c WHERE c.tenant_id = $1
      AND c.integration_id = $2 AND c.state = 'waiting' AND last_error IS NOT NULL LIMIT 1) AS c) AS waiting,
    LATERAL (SELECT max(last_error) AS error FROM (SELECT last_error FROM platform_calls c WHERE c.tenant_id = $1
      AND c.integration_id = $2 AND c.state = 'failed' ORDER BY finished_at DESC LIMIT 1) AS c) AS failed
  WHERE a.tenant_id = $1 AND a.integration_id = $2`;

export type CallHealth = { waiting: number; failed: number; pausedUntil: Date | null; error: string | null };

/** Calls to the API of the platform. Undefined: none was ever wanted. */
export async function findCallHealth({ db, tenantId }: DbScope, id: string): Promise<CallHealth | undefined> {
  const [row] = await db.query<CallHealth>(callsSql, [tenantId, id]);
  return row;
}

/** The sealed signing secret of an integration that was not deleted. */
export async function findSealedSecret({ db, tenantId }: DbScope, id: string): Promise<string | null> {
  const row = await db.prisma.integration.findFirst({
    where: { tenantId, id, deletedAt: null },
    select: { secret: true },
  });
  return row?.secret ?? null;
}

/** Address and token of a chat integration that was not deleted, sealed. */
export async function findChatSecrets({ db, tenantId }: DbScope, id: string) {
  const row = await db.prisma.integration.findFirst({
    where: { tenantId, id, deletedAt: null },
    select: { secret: true, token: true },
  });
  return row ?? { secret: null, token: null };
}

const ownNameSql = `coalesce(config ->> 'org_name', config ->> 'workspace_name', config ->> 'team_id', webhook_id, type)`;

const namesSql = `
  SELECT id, 'integration' AS kind, ${ownNameSql} AS name, deleted_at IS NOT NULL AS is_removed
  FROM integrations WHERE tenant_id = $1 AND id = ANY ($2)`;

/** Of deleted ones too: the rows stay. */
export const findIntegrationNames = ({ db, tenantId }: DbScope, ids: readonly string[]): Promise<NameResource[]> =>
  db.query<NameResource>(namesSql, [tenantId, ids]);

type Field = (typeof integrationListFields)[number];
export type IntegrationFilter = Pick<IntegrationListQuery, Field>;

const sortable: Record<Field, ListSource['sortable'][string]> = {
  id: { sql: 'id', type: 'text' },
  type: { sql: 'type', type: 'text' },
  status: { sql: 'status', type: 'text', order: integrationStatuses },
  connected_at: { sql: 'connected_at', type: 'timestamptz' },
  status_reason: { sql: 'status_reason', type: 'text', isNullable: true, isLong: true },
  webhook_id: { sql: 'webhook_id', type: 'text', isNullable: true },
  org_name: { sql: `config ->> 'org_name'`, type: 'text', isNullable: true },
  workspace_name: { sql: `config ->> 'workspace_name'`, type: 'text', isNullable: true },
};
const source: ListSource = {
  from: 'integrations',
  columns: selectList(shownFields),
  visible: 'deleted_at IS NULL',
  sortable,
};

export function pageIntegrations(
  scope: DbScope,
  filter: IntegrationFilter,
  page: Page<Field | 'created_at'>,
): Promise<PageOfItems<Integration>> {
  const conditions = integrationListFields.map((field) => equals(`(${sortable[field].sql})`, filter[field]));
  return fetchPage<Integration>(scope, source, conditions, page);
}

/** What an integration makes of what its system sends. */
export type InboundRules = {
  type: string;
  statusMap: Record<string, PlatformStatusMeaning>;
  assigneeMap: Record<string, string>;
  projectMap: Record<string, string>;
  labels: Record<string, string>;
  /** Empty: all. */
  repositories: string[];
  completesOnMerge: boolean;
  /** Whether its API can be called. */
  isCallable: boolean;
};

/** Of bodies that were taken without a signature. */
export const noRules: InboundRules = {
  type: 'taskplatform',
  statusMap: {},
  assigneeMap: {},
  projectMap: {},
  labels: {},
  repositories: [],
  completesOnMerge: false,
  isCallable: false,
};

const rulesSql = `
  SELECT id, type, coalesce(config -> 'status_map', '{}') AS "statusMap",
    coalesce(config -> 'assignee_map', '{}') AS "assigneeMap", coalesce(config -> 'project_map', '{}') AS "projectMap",
    coalesce(config -> 'labels', '{}') AS labels,
    coalesce(config -> 'repositories', '[]') AS repositories,
    coalesce((config -> 'complete_on_merge')::boolean, false) AS "completesOnMerge",
    token IS NOT NULL AND deleted_at IS NULL AND status <> 'disconnected' AS "isCallable"
  FROM integrations WHERE tenant_id = $1 AND id = ANY ($2)`;

export async function readInboundRules(
  { db, tenantId }: DbScope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, InboundRules>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<InboundRules & { id: string }>(rulesSql, [tenantId, ids]);
  return new Map(rows.map(({ id, ...rules }) => [id, rules]));
}
