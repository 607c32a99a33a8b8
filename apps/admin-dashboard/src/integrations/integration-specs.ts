import type { Schemas } from '../api/client.ts';
import type { IntegrationType } from '../resources/integrations/integration-names.ts';

type FieldSpec = {
  label: string;
  hint?: string;
  /** map: a line for each entry; reporting: what goes back to the platform. */
  kind: 'text' | 'secret' | 'list' | 'map' | 'number' | 'flag' | 'reporting';
  isRequired?: boolean;
};

/** The settings that a person can change; fields that the API only returns are not in the request body. */
type Settings<Body> = Exclude<
  { [Name in keyof Body]-?: unknown extends Body[Name] ? never : Name }[keyof Body],
  'type' | 'secret'
>;
/** A setting that is added to the contract and has no field here does not compile. */
type FieldsOf<Body> = Readonly<Record<Settings<Body>, FieldSpec>>;

const silence: FieldSpec = { label: 'Alarm after hours of silence', hint: 'Empty: no alarm.', kind: 'number' };
const token: FieldSpec = {
  label: 'Token',
  hint: 'For calls to the other system. It is not shown again.',
  kind: 'secret',
};

const taskplatform: FieldsOf<Schemas['CreateTaskPlatformIntegration']> = {
  webhook_id: { label: 'Webhook ID', hint: 'Empty: every webhook that the secret signs.', kind: 'text' },
  token,
  team_id: { label: 'Workspace ID', kind: 'text' },
  status_map: { label: 'Status words', hint: 'One a line: word = open, completed, cancelled or hold.', kind: 'map' },
  assignee_map: { label: 'Assignees', hint: 'One a line: user = role or ID of an agent.', kind: 'map' },
  project_map: { label: 'Projects', hint: 'One a line: ID of a list, folder or space = ID of a project.', kind: 'map' },
  write_back: { label: 'Reported to the platform, with a token', kind: 'reporting' },
  silence_alarm_hours: silence,
};

const github: FieldsOf<Schemas['CreateGithubIntegration']> = {
  org_name: { label: 'Organisation or user', kind: 'text', isRequired: true },
  repositories: { label: 'Repositories', hint: 'Separated by commas. Empty: all.', kind: 'list' },
  labels: { label: 'Labels', hint: 'One a line: label = role or ID of an agent.', kind: 'map' },
  token: { label: 'Token', hint: 'Opens pull requests for branches of tasks. It is not shown again.', kind: 'secret' },
  complete_on_merge: { label: 'A merged pull request completes its task', kind: 'flag' },
  silence_alarm_hours: silence,
};

const slack: FieldsOf<Schemas['CreateSlackIntegration']> = {
  workspace_name: { label: 'Workspace', kind: 'text', isRequired: true },
  webhook_url: { label: 'Incoming-webhook address', hint: 'Or a token and channels. Not shown again.', kind: 'secret' },
  token,
  channels: { label: 'Channels', hint: 'Separated by commas; needs a token.', kind: 'list' },
  signing_secret: { label: 'Signing secret', hint: 'For answers by button. It is not shown again.', kind: 'secret' },
  events: { label: 'Events', hint: 'Separated by commas: task.blocked for questions, workflow.*', kind: 'list' },
};

export type NamedSpec = FieldSpec & { name: string };

const named = (fields: Readonly<Record<string, FieldSpec>>): readonly NamedSpec[] =>
  Object.entries(fields).map(([name, spec]) => ({ name, ...spec }));

/** The fields of each type, in the order of the form. */
export const specs: Readonly<Record<IntegrationType, readonly NamedSpec[]>> = {
  taskplatform: named(taskplatform),
  github: named(github),
  slack: named(slack),
};
