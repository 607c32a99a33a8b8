import type { Schemas } from '../../api/client.ts';

export type Integration = Schemas['Integration'];
export type IntegrationType = Integration['type'];

export const typeLabels: Readonly<Record<IntegrationType, string>> = {
  taskplatform: 'Task platform',
  github: 'Source host',
  slack: 'Chat',
};

/** The label of an integration, which has no name of its own. */
export const nameOf = (integration: Integration): string => {
  const { type, org_name: org, workspace_name: workspace, team_id: team, webhook_id: webhook } = integration;
  const own = org ?? workspace ?? team ?? webhook;
  return own === undefined ? typeLabels[type] : `${typeLabels[type]}: ${own}`;
};
