import { z } from 'zod';
import { ofMaxBytes, requiredText } from '../../fields.ts';
import { ofDifferentNames } from '../../repeated.ts';
import { check, checkInput } from '../git/git-settings.ts';
import { exampleRule, maxRules, rule, ruleInput } from '../permissions/permission-rules.ts';
import { exampleServer, mcpServer } from './mcp-servers.ts';
import { budgetsInput, budgetsOutput, exampleProfileBudget } from './profile-budgets.ts';
import { exampleSkill, skill } from './skills.ts';

/** Maximum serialised size of all settings of a profile: the runner gets them with each task. */
const maxSettingsBytes = 256 * 1024;
const [maxSkills, maxServers] = [20, 20];

const texts = {
  instructions: 'What the agent reads before each task, in Markdown. null: nothing.',
  model: 'The model to use, as the agent calls it. null: the default of the agent.',
  effort: 'How much the model is to think, as the agent calls it. null: the default of the agent.',
  skills: 'Files with knowledge for some of the work, which the agent reads when it needs them.',
  servers: 'MCP servers whose tools the agent gets.',
  checks: 'Commands that the runner executes after the work, next to those of the repository. All must exit with 0.',
  rules:
    'What happens when the agent asks for a tool: the first rule that fits a request decides, after the policies of the project and before those of all projects.',
  budgets:
    'What the agents with this profile may use models for, all together. Each is a budget of the scope `profile`, and is changed here alone.',
};

const instructions = requiredText(65_536).nullable().describe(texts.instructions);
const model = requiredText(200).nullable().describe(texts.model);
const effort = requiredText(64).nullable().describe(texts.effort);
const skills = z.array(skill).max(maxSkills).superRefine(ofDifferentNames('skill')).describe(texts.skills);
const servers = z.array(mcpServer).max(maxServers).superRefine(ofDifferentNames('server')).describe(texts.servers);
const checks = z.array(checkInput).max(20).superRefine(ofDifferentNames('check')).describe(texts.checks);
const rules = z.array(ruleInput).max(maxRules).describe(texts.rules);
const budgets = budgetsInput.describe(texts.budgets);

/** What a profile is made of, as it is sent. */
export const settingsInput = {
  instructions: instructions.default(null),
  model: model.default(null),
  effort: effort.default(null),
  skills: skills.default([]),
  mcp_servers: servers.default([]),
  checks: checks.default([]),
  permission_rules: rules.default([]),
  budgets: budgets.default([]),
};

/** The same in a merge patch: lists are replaced as a whole. */
export const settingsPatch = {
  instructions: instructions.optional(),
  model: model.optional(),
  effort: effort.optional(),
  skills: skills.nullable().optional(),
  mcp_servers: servers.nullable().optional(),
  checks: checks.nullable().optional(),
  permission_rules: rules.nullable().optional(),
  budgets: budgets.nullable().optional(),
};

export const settingsFields = {
  instructions: z.string().max(65_536).nullable().describe(texts.instructions),
  model: z.string().max(200).nullable().describe(texts.model),
  effort: z.string().max(64).nullable().describe(texts.effort),
  skills: z.array(skill).max(maxSkills).describe(texts.skills),
  mcp_servers: z.array(mcpServer).max(maxServers).describe(texts.servers),
  checks: z.array(check).max(20).describe(texts.checks),
  permission_rules: z.array(rule).max(maxRules).describe(texts.rules),
  budgets: budgetsOutput.describe(texts.budgets),
};
const settings = z.object(settingsFields);
export type ProfileSettings = z.infer<typeof settings>;

export const isWithinSettings = ofMaxBytes(maxSettingsBytes);

export const exampleSettings = {
  instructions: 'Write the test first. Keep functions short.',
  model: 'claude-sonnet-5',
  effort: 'high',
  skills: [exampleSkill],
  mcp_servers: [exampleServer],
  checks: [{ name: 'lint', command: 'npm run lint', timeout_seconds: 300 }],
  permission_rules: [exampleRule],
  budgets: [exampleProfileBudget],
} satisfies ProfileSettings;
