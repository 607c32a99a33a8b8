import type { Tone } from '../parts/tag.tsx';
import { type Integration, type IntegrationType, typeLabels } from '../resources/integrations/integration-names.ts';
import { oneOf, readTexts } from '../resources/read-search.ts';

export const integrationTypes = Object.keys(typeLabels) as IntegrationType[];

/** `steps`: what to do there with the address, which is shown below them, and the secret. */
export const typeWords: Readonly<Record<IntegrationType, { purpose: string; steps: readonly string[] }>> = {
  taskplatform: {
    purpose: 'Tasks that are made there come here, and what agents do goes back.',
    steps: [
      'In the settings of the workspace, add a webhook for the events of tasks and comments.',
      'Endpoint: the address below.',
      'Secret: the one of this integration. If the platform makes its own, set that one here with Rotate the secret.',
    ],
  },
  github: {
    purpose: 'Pull requests are linked to tasks, or opened for them, and issues with a label become tasks.',
    steps: [
      'In the settings of the organisation or repository, open Webhooks and add one.',
      'Payload URL: the address below. Content type: application/json. Secret: the one of this integration.',
      'Events: pull requests, pull request reviews, check suites or workflow runs, issues, issue comments.',
    ],
  },
  slack: {
    purpose: 'Events and questions of agents are posted to channels, and answered there.',
    steps: [
      'For answers by button, open Interactivity & Shortcuts in the settings of the app and turn it on.',
      'Request URL: the address below.',
      'Basic Information of the app has the signing secret: set it here.',
    ],
  },
};

export const statusTone = (status: Integration['status']): Tone =>
  status === 'active' ? 'good' : status === 'degraded' ? 'bad' : 'none';

/** What the status means for a person, and what to do. */
export function adviceOf(integration: Integration): string {
  const { type, status, status_reason: reason, silence_alarm_hours: hours, last_error: error } = integration;
  if (status === 'disconnected') return 'Its webhooks are refused and nothing is reported to it. Connect it again.';
  if (status === 'active')
    return error ? `Something failed last: ${errorWord(error.reason)}.` : 'Nothing has failed so far.';
  if (reason === 'silent')
    return `Nothing was received for ${hours ?? 'many'} hours. Check that its webhook still exists in the other system.`;
  return type === 'slack'
    ? 'The chat refuses messages, which wait. Change the token, the address or the channels, then test.'
    : 'The platform refuses calls, which wait. Change the token. Webhooks are applied as before.';
}

const errorWords: Readonly<Record<string, string>> = {
  signature: 'a webhook came with a wrong signature: compare the secret',
  api_denied: 'the platform refused the token',
  api_refused: 'the platform refused a call',
  api_unavailable: 'the platform did not respond to a call',
};
/** The last error in words; unknown reasons are shown as they are. */
export const errorWord = (reason: string): string => errorWords[reason] ?? reason.replaceAll('_', ' ');

export type ConnectSearch = { connect?: IntegrationType | 'choose' };
export function readConnectSearch(search: Record<string, unknown>): ConnectSearch {
  const connect = oneOf([...integrationTypes, 'choose' as const], readTexts(search, ['connect']).connect);
  return connect ? { connect } : {};
}
