import { z } from 'zod';
import {
  exampleId,
  exampleTime,
  idOf,
  idOutput,
  role,
  timestampInput,
  timestampOutput,
  wholeNumberInput,
} from '../../fields.ts';
import { listQuery, listResponse } from '../list.ts';
import { exampleRule, maxRules, rule, ruleInput } from './permission-rules.ts';

const rulesText = 'The rules, in order: the first one that fits a request decides.';
const rulesInput = z.array(ruleInput).max(maxRules).describe(rulesText);
const projectText = 'ID of the project whose tasks it is for. null: of all tasks.';
const roleText = 'The role of the tasks that it is for. null: of all roles.';

export const createPolicyBody = z
  .strictObject({
    project_id: idOutput.nullable().default(null).describe(projectText),
    role: role.nullable().default(null).meta({ description: roleText, example: 'rd' }),
    rules: rulesInput.default([]),
  })
  .meta({
    id: 'CreatePermissionPolicy',
    description: 'A new policy. There is one for each project and role.',
    example: { project_id: null, role: 'rd', rules: [exampleRule] },
  });
export type CreatePolicyBody = z.output<typeof createPolicyBody>;

export const changePolicyBody = z
  .strictObject({ rules: rulesInput.optional().describe('All rules. They replace the present ones.') })
  .meta({
    id: 'ChangePermissionPolicy',
    description: 'A JSON merge patch of a policy. Its project and role stay.',
    example: { rules: [exampleRule] },
  });
export type ChangePolicyBody = z.output<typeof changePolicyBody>;

export const policyResource = z
  .object({
    id: idOf('ID of the policy.'),
    project_id: idOutput.nullable().describe(projectText),
    role: z.string().max(64).nullable().describe(roleText),
    rules: z.array(rule).max(maxRules).describe(rulesText),
    version: z.int().min(1).max(2_147_483_647).describe('Grows with each change. It is the `ETag`.'),
    created_at: timestampOutput.describe('When the policy was created.'),
    updated_at: timestampOutput.describe('When the policy was last changed.'),
  })
  .meta({
    id: 'PermissionPolicy',
    description: 'What agents may do with their tools, for the tasks of a project and a role.',
    example: {
      id: exampleId('pol'),
      project_id: null,
      role: 'rd',
      rules: [exampleRule],
      version: 1,
      created_at: exampleTime,
      updated_at: exampleTime,
    },
  });
export type PolicyResource = z.infer<typeof policyResource>;

const text = z.string().max(500);
const filters = {
  id: text,
  project_id: text,
  role: text,
  version: wholeNumberInput(0, 2_147_483_647),
  created_at: timestampInput,
  updated_at: timestampInput,
};
export const policyListFields = Object.keys(filters) as [keyof typeof filters];
export const policyListQuery = listQuery({ sortable: policyListFields, filters });
export type PolicyListQuery = z.output<typeof policyListQuery>;
export const policyList = listResponse(policyResource);
