import type { Schemas } from '../api/client.ts';
import { type Check, inOrder } from '../resources/checks/check.ts';
import { listOf } from '../resources/edit/list-of.ts';
import { rulesOf, textOfRules } from '../resources/rules/rules.ts';
import type { Profile } from './profile-queries.ts';
import { textIn } from '../resources/edit/text-in.ts';

/** Names of the fields of the form. The last five are lists as JSON. */
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
  permission_rules: 'Permission rules',
  budgets: 'Budgets',
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
  permission_rules: '',
  budgets: '',
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
  permission_rules: textOfRules(profile.permission_rules),
  budgets: textOfBudgets(profile.budgets),
});

export const textOfChecks = (checks: readonly Check[]): string => jsonOf(checks.map(inOrder));
export const checksOf = (text: string): Check[] => listOfJson(text);

/** A budget of a profile. */
export type Terms = Profile['budgets'][number];
export const newTerms: Terms = { unit: 'usd', period: 'day', limit: 20, warn_at_percent: 80 };
const termsInOrder = ({ unit, period, limit, warn_at_percent }: Terms): Terms => ({
  unit,
  period,
  limit,
  warn_at_percent,
});
export const textOfBudgets = (budgets: readonly Terms[]): string => jsonOf(budgets.map(termsInOrder));
export const budgetsOf = (text: string): Terms[] => listOfJson(text);

/** For a field that the form itself writes. */
function listOfJson<T>(text: string): T[] {
  const list = listIn(text);
  return Array.isArray(list) ? (list as T[]) : [];
}

/** Invalid JSON is sent as it was typed: the API reports the error at the field. */
function listIn(text: string): unknown {
  if (text.trim() === '') return [];
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** The profile that a form describes: empty fields are left out. */
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
    permission_rules: rulesOf(textOf('permission_rules')),
    budgets: budgetsOf(textOf('budgets')),
  } satisfies Schemas['ChangeProfile'];
}
