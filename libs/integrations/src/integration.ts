import type { CreateIntegrationBody, IntegrationType, IntegrationView, PlatformStatusMeaning } from '@eas/contracts';
import { formatTimestamp } from '@eas/core';

/** The open fields of an integration's type, kept as they are returned. */
export type IntegrationConfig = Partial<
  Pick<
    IntegrationView,
    'webhook_id' | 'status_map' | 'org_name' | 'repositories' | 'workspace_name' | 'channels' | 'events'
  >
>;

/** An integration's row without what is sealed. */
export type Integration = {
  id: string;
  type: IntegrationType;
  status: IntegrationView['status'];
  statusReason: string | null;
  config: IntegrationConfig;
  connectedAt: Date;
};

/** Splits a body into what is shown and what is sealed. */
export function splitBody(body: CreateIntegrationBody): {
  config: IntegrationConfig;
  secret: string | null;
  token: string | null;
} {
  switch (body.type) {
    case 'taskplatform': {
      const { webhook_id, secret, token, status_map } = body;
      return {
        config: present({ webhook_id, status_map: status_map && lowerKeys(status_map) }),
        secret,
        token: token ?? null,
      };
    }
    case 'github': {
      const { org_name, repositories, secret } = body;
      return { config: { org_name, repositories: repositories ?? [] }, secret, token: null };
    }
    case 'slack': {
      const { workspace_name, channels, webhook_url, token, events } = body;
      return {
        config: { workspace_name, channels: channels ?? [], events: events ?? [] },
        secret: webhook_url ?? null,
        token: token ?? null,
      };
    }
  }
}

/** As the interface shows it. */
export function toView({ id, type, status, statusReason, config, connectedAt }: Integration): IntegrationView {
  const view = { id, type, status, connected_at: formatTimestamp(connectedAt), ...config };
  return statusReason === null ? view : { ...view, status_reason: statusReason };
}

/** Status words are compared in lower case. */
function lowerKeys(map: Record<string, PlatformStatusMeaning>): Record<string, PlatformStatusMeaning> {
  return Object.fromEntries(Object.entries(map).map(([word, meaning]) => [word.toLowerCase(), meaning]));
}

function present(config: Record<string, unknown>): IntegrationConfig {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined && value !== null));
}
