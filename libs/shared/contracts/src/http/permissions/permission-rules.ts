import { z } from 'zod';
import { type MakeObject, requiredText } from '../../fields.ts';
import { toolKinds } from '../asking/permission.ts';

/** Of a policy, and of a profile. */
export const maxRules = 100;

const ruleOf = (object: MakeObject) =>
  object({
    action: z.enum(['allow', 'ask', 'deny']).describe('allow: go on. ask: ask a person. deny: reject.'),
    tool: requiredText(200).describe(
      `The tool: its kind (${toolKinds.join(', ')}), the agent’s own name of it, or * for all. Capitals do not matter.`,
    ),
    pattern: requiredText(500).describe(
      'What it is used for. * stands for any text. Capitals do not matter. `ask` and `deny` fit if the title, the command or one path fits; `allow` fits only if the command and all paths fit, or the title where there is neither. In a command that is allowed, * alone stands for operators of the shell (`;`, `&`, `|`, `<`, `>`, a backtick, `$(`, a line break); in a longer pattern they must be written out.',
    ),
  });
const ruleText = 'What happens with requests for a tool.';
export const exampleRule = { action: 'ask' as const, tool: 'execute', pattern: 'git push*' };

export const ruleInput = ruleOf(z.strictObject as MakeObject).meta({
  id: 'PermissionRuleInput',
  description: ruleText,
  example: exampleRule,
});
export const rule = ruleOf(z.object as MakeObject).meta({
  id: 'PermissionRule',
  description: ruleText,
  example: exampleRule,
});
export type PermissionRule = z.output<typeof rule>;
