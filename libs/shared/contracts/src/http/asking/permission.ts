import { z } from 'zod';
import { type MakeObject, ofMaxBytes, requiredText } from '../../fields.ts';
import { fileChange } from './file-change.ts';

/** Kinds of tools, in the words of ACP. */
export const toolKinds = [
  'read',
  'edit',
  'delete',
  'move',
  'search',
  'execute',
  'think',
  'fetch',
  'switch_mode',
  'other',
] as const;
export const toolKind = z
  .enum(toolKinds)
  .meta({ id: 'ToolKind', description: 'What kind of tool it is. New values can be added.' });

const maxPermissionBytes = 128 * 1024;

const permissionOf = (object: MakeObject, name: (part: string) => string) =>
  object({
    tool: toolKind,
    name: requiredText(200).optional().describe('The agent’s own name of the tool.'),
    title: requiredText(2_000).describe('What it would do.'),
    command: requiredText(16_384).optional().describe('The command that it would run.'),
    diff: z
      .array(object(fileChange).meta({ id: name('Change'), description: 'A change of a file.' }))
      .max(20)
      .optional()
      .describe('The files that it would change.'),
    paths: z
      .array(requiredText(4_096))
      .max(200)
      .optional()
      .describe(
        'All files that it would read or change, also those of `diff`. Those in the worktree relative to it, others absolute.',
      ),
    truncated: z
      .boolean()
      .optional()
      .describe(
        'Parts are not shown: the command or the list of paths is cut. A rule that could fit what is not shown makes a person decide.',
      ),
    digest: requiredText(64)
      .optional()
      .describe(
        'SHA-256 (hexadecimal) of all that it is about, where not all of it is shown. Requests with different ones are different.',
      ),
  });

export const examplePermission = {
  tool: 'execute' as const,
  name: 'Bash',
  title: 'Push the branch',
  command: 'git push origin task/42',
};
const permissionText = 'What an agent wants to do with a tool.';

export const permissionInput = permissionOf(z.strictObject as MakeObject, (part) => `Permission${part}Input`)
  .refine(...ofMaxBytes(maxPermissionBytes))
  .meta({ id: 'PermissionInput', description: permissionText, example: examplePermission });

export const permission = permissionOf(z.object as MakeObject, (part) => `Permission${part}`).meta({
  id: 'Permission',
  description: permissionText,
  example: examplePermission,
});
export type Permission = z.output<typeof permission>;

/** What an `allow_always` is about: with the same tool kind, the command; where there is none, the title. */
export const subjectOf = ({ command, title }: Pick<Permission, 'command' | 'title'>): string => command ?? title;
