import type { Schemas } from '../api/client.ts';
import { type Check, inOrder } from '../resources/checks/check.ts';
import { listOf } from '../resources/edit/list-of.ts';
import type { Profile } from './profile-queries.ts';
import { textIn } from '../resources/edit/text-in.ts';

/** Names of the fields of the form. The last three are lists as JSON. */
export const labels = {
  name: 'Name',
  description: 'Description',
  roles: 'Roles',
  agents: 'Agents',
  instructions: 'Instructions',
  model: 'Model',
  effort: 'Effort',
  skills: 'Skills',
  mcp_servers: 'MCP servers',
  checks: 'Checks',
};
export type FieldName = keyof typeof labels;
export type ProfileTexts = Record<FieldName, string>;

const jsonOf = (list: readonly unknown[]) => (list.length === 0 ? '' : JSON.stringify(list, null, 2));

export const newProfile: ProfileTexts = {
  name: '',
  description: '',
  roles: '',
  agents: '',
  instructions: '',
  model: '',
  effort: '',
  skills: '',
  mcp_servers: '',
  checks: '',
};

export const textsOf = (profile: Profile): ProfileTexts => ({
  name: profile.name,
  description: profile.description ?? '',
  roles: profile.roles.join(', '),
  agents: profile.agents.join(', '),
  instructions: profile.instructions ?? '',
  model: profile.model ?? '',
  effort: profile.effort ?? '',
  skills: jsonOf(profile.skills),
  mcp_servers: jsonOf(profile.mcp_servers),
  checks: textOfChecks(profile.checks),
});

export const textOfChecks = (checks: readonly Check[]): string => jsonOf(checks.map(inOrder));
export const checksOf = (text: string): Check[] => {
  const list = listIn(text);
  return Array.isArray(list) ? (list as Check[]) : [];
};

/** What is no JSON goes to the API as it was typed: it says at the field what is wrong. */
function listIn(text: string): unknown {
  if (text.trim() === '') return [];
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** The profile that a form describes: an empty field is none. */
export function bodyOf(form: FormData) {
  const textOf = (name: FieldName) => textIn(form, name);
  return {
    name: textOf('name'),
    description: textOf('description') || null,
    roles: listOf(textOf('roles')),
    agents: listOf(textOf('agents')),
    instructions: textOf('instructions') || null,
    model: textOf('model') || null,
    effort: textOf('effort') || null,
    skills: listIn(textOf('skills')) as Profile['skills'],
    mcp_servers: listIn(textOf('mcp_servers')) as Profile['mcp_servers'],
    checks: checksOf(textOf('checks')),
  } satisfies Schemas['ChangeProfile'];
}
