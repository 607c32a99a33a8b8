import type {
  ChangeIntegrationBody,
  CreateIntegrationBody,
  IntegrationType,
  IntegrationView,
  WriteBackPatch,
} from '@eas/contracts';
import { formatTimestamp } from '@eas/core';

/** The open fields of an integration's type, kept as they are returned. */
export type IntegrationConfig = Partial<
  Pick<
    IntegrationView,
    | 'webhook_id'
    | 'status_map'
    | 'assignee_map'
    | 'project_map'
    | 'team_id'
    | 'write_back'
    | 'org_name'
    | 'repositories'
    | 'labels'
    | 'complete_on_merge'
    | 'workspace_name'
    | 'channels'
    | 'events'
    | 'silence_alarm_hours'
  >
>;

export type Integration = {
  id: string;
  type: IntegrationType;
  status: IntegrationView['status'];
  statusReason: string | null;
  config: IntegrationConfig;
  connectedAt: Date;
  /** Until when the secret before the last rotation is valid. */
  previousSecretUntil: Date | null;
  lastReceivedAt: Date | null;
  lastAppliedAt: Date | null;
  lastErrorAt: Date | null;
  lastErrorReason: string | null;
  version: number;
};

/** What an integration has that nothing has happened to. */
export const untouched = {
  statusReason: null,
  previousSecretUntil: null,
  lastReceivedAt: null,
  lastAppliedAt: null,
  lastErrorAt: null,
  lastErrorReason: null,
  version: 1,
} as const;

/** As the interface shows it, with the version that its ETag names. */
export type ShownIntegration = { integration: IntegrationView; version: number };

type Secrets = { secret: string | null; token: string | null; signingSecret: string | null };

export function splitBody(body: CreateIntegrationBody): { config: IntegrationConfig; secrets: Secrets } {
  switch (body.type) {
    case 'taskplatform': {
      const { webhook_id, secret, token, status_map: words, assignee_map: users, silence_alarm_hours } = body;
      const maps = { status_map: words && lowerKeys(words), assignee_map: users && lowerKeys(users) };
      const { project_map, team_id, write_back } = body;
      const config = present({ webhook_id, ...maps, project_map, team_id, write_back, silence_alarm_hours });
      return { config, secrets: { secret, token: token ?? null, signingSecret: null } };
    }
    case 'github': {
      const { org_name, repositories, labels, complete_on_merge, secret, token, silence_alarm_hours } = body;
      const rules = present({ labels: labels && lowerKeys(labels), complete_on_merge, silence_alarm_hours });
      const config = { org_name, repositories: repositories ?? [], ...rules };
      return { config, secrets: { secret, token: token ?? null, signingSecret: null } };
    }
    case 'slack': {
      const {
        workspace_name,
        channels,
        webhook_url: secret = null,
        token = null,
        signing_secret = null,
        events,
      } = body;
      const config = { workspace_name, channels: channels ?? [], events: events ?? [] };
      return { config, secrets: { secret, token, signingSecret: signing_secret } };
    }
  }
}

/** Splits a merge patch: the merged open fields, and of the secrets those that it replaces (null: clears). */
export function splitPatch(
  config: IntegrationConfig,
  patch: ChangeIntegrationBody,
): { config: IntegrationConfig; secrets: Partial<Secrets> } {
  const { type: _type, status: _status, secret, webhook_url: url = secret, token, signing_secret, ...fields } = patch;
  const { status_map: words, assignee_map: users, project_map: places, labels, write_back: rules, ...open } = fields;
  const emptied = Object.entries(open).map(([field, value]) => [field, value ?? emptyOf[field]]);
  const maps = {
    status_map: mergedMap(config.status_map, words && lowerKeys(words)),
    assignee_map: mergedMap(config.assignee_map, users && lowerKeys(users)),
    project_map: mergedMap(config.project_map, places),
    labels: mergedMap(config.labels, labels && lowerKeys(labels)),
    write_back: mergedRules(config.write_back, rules),
  };
  return {
    config: present({ ...config, ...Object.fromEntries(emptied), ...maps }),
    secrets: {
      ...(url === undefined ? {} : { secret: url }),
      ...(token === undefined ? {} : { token }),
      ...(signing_secret === undefined ? {} : { signingSecret: signing_secret }),
    },
  };
}

type Words<V> = Record<string, V>;

/** Key by key; null removes a key, or the whole map. */
function mergedMap<V>(
  own: Words<V> | undefined,
  patch: Words<V | null> | null | undefined,
): Words<V> | null | undefined {
  if (patch === undefined || patch === null) return patch === null ? null : own;
  return present({ ...own, ...patch }) as Words<V>;
}

/** Field by field; null removes a field, or all of them. What is left empty is left out. */
function mergedRules(
  own: IntegrationConfig['write_back'],
  patch: WriteBackPatch | null | undefined,
): IntegrationConfig['write_back'] | null {
  if (patch === undefined || patch === null) return patch === null ? null : own;
  const status = patch.status === null ? {} : present({ ...own?.status, ...patch.status });
  const merged = present({ ...own, ...patch, status: Object.keys(status).length > 0 ? status : undefined });
  return Object.keys(merged).length > 0 ? merged : null;
}

/** Lists are always shown. */
const emptyOf: Record<string, [] | undefined> = { repositories: [], channels: [], events: [] };

export function toView(integration: Integration): IntegrationView {
  const { id, type, status, statusReason, config, connectedAt } = integration;
  const view = { id, type, status, connected_at: formatTimestamp(connectedAt), ...config, ...healthOf(integration) };
  return statusReason === null ? view : { ...view, status_reason: statusReason };
}

/** What has not happened yet is not shown. */
function healthOf(integration: Integration): Partial<IntegrationView> {
  const { previousSecretUntil, lastReceivedAt, lastAppliedAt, lastErrorAt, lastErrorReason } = integration;
  return {
    ...(previousSecretUntil && { previous_secret_until: formatTimestamp(previousSecretUntil) }),
    ...(lastReceivedAt && { last_received_at: formatTimestamp(lastReceivedAt) }),
    ...(lastAppliedAt && { last_applied_at: formatTimestamp(lastAppliedAt) }),
    ...(lastErrorAt && { last_error: { at: formatTimestamp(lastErrorAt), reason: lastErrorReason ?? '' } }),
  };
}

export const shown = (integration: Integration): ShownIntegration => ({
  integration: toView(integration),
  version: integration.version,
});

/** Words and users are compared in lower case. */
function lowerKeys<M>(map: Record<string, M>): Record<string, M> {
  return Object.fromEntries(Object.entries(map).map(([word, meaning]) => [word.toLowerCase(), meaning]));
}

function present<T>(fields: Record<string, T>): Record<string, NonNullable<T>> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(entries) as Record<string, NonNullable<T>>;
}
