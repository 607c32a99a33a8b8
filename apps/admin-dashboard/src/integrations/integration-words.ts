import type { Schemas } from '../api/client.ts';
import type { Tone } from '../parts/tag.tsx';
import { oneOf, readTexts } from '../work/read-search.ts';

export type Integration = Schemas['Integration'];
export type IntegrationType = Integration['type'];

export const integrationTypes = ['taskplatform', 'github', 'slack'] as const satisfies readonly IntegrationType[];

export const typeWords: Readonly<Record<IntegrationType, { label: string; purpose: string; next: string }>> = {
  taskplatform: {
    label: 'Task platform',
    purpose: 'Tasks that are made there come here, and what agents do goes back.',
    next: 'Add a webhook on the platform with this address and secret.',
  },
  github: {
    label: 'Source host',
    purpose: 'Pull requests are linked to tasks, and issues with a label become tasks.',
    next: 'In the settings of the organisation or repository, add a webhook with this address and secret. Choose the content type application/json.',
  },
  slack: {
    label: 'Chat',
    purpose: 'Events and questions of agents are posted to channels, and answered there.',
    next: 'For answers by button, set this address as the request URL of interactivity in the settings of the app.',
  },
};

export const statusTone = (status: Integration['status']): Tone =>
  status === 'active' ? 'good' : status === 'degraded' ? 'bad' : 'none';

export const nameOf = ({ type, org_name: org, workspace_name: workspace, team_id: team }: Integration): string =>
  [typeWords[type].label, org ?? workspace ?? team].filter((part) => part !== undefined).join(': ');

export type ConnectSearch = { connect?: IntegrationType | 'choose' };
export function readConnectSearch(search: Record<string, unknown>): ConnectSearch {
  const connect = oneOf([...integrationTypes, 'choose' as const], readTexts(search, ['connect']).connect);
  return connect ? { connect } : {};
}
