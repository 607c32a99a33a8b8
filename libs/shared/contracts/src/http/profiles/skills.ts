import { z } from 'zod';
import { ruled } from '../git/git-settings.ts';
import { refuseRepeated } from '../../repeated.ts';
import { slug } from './slug.ts';

/** Bytes of a part: of one name of a file or folder, as file systems have it. */
const [maxFiles, maxContentLength, maxPartBytes] = [50, 256 * 1024, 255];
const skillFile = 'SKILL.md';

function pathProblem(path: string): string | undefined {
  if (/[\p{Cc}\\]/u.test(path)) return 'must not contain control characters or backslashes. Separate folders with /';
  const parts = path.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..') || /^[A-Za-z]:|^~/.test(path))
    return 'must be a relative path below the folder of the skill, such as references/api.md';
  if (parts.some((part) => Buffer.byteLength(part) > maxPartBytes))
    return `must not contain a name of more than ${maxPartBytes} bytes between two /`;
  return undefined;
}

export const exampleSkill = {
  name: 'release-notes',
  files: [
    {
      path: skillFile,
      content: '---\nname: release-notes\ndescription: How we write release notes.\n---\nOne line for each change.',
    },
  ],
};
const file = z
  .strictObject({
    path: ruled(200, pathProblem).describe('Path in the folder of the skill.'),
    content: z.string().max(maxContentLength).describe('Text of the file.'),
  })
  .meta({ id: 'SkillFile', description: 'A file of a skill.', example: exampleSkill.files[0] });

export const skill = z
  .strictObject({
    name: slug(64).describe('Its name, and that of its folder.'),
    files: z
      .array(file)
      .min(1)
      .max(maxFiles)
      .superRefine(checkFiles)
      .describe(`Its files, \`${skillFile}\` among them.`),
  })
  .meta({
    id: 'Skill',
    description: `A folder of files for the agent. \`${skillFile}\` says in its first lines what the skill is for.`,
    example: exampleSkill,
  });

function checkFiles(files: readonly { path: string }[], context: z.RefinementCtx): void {
  // Some file systems are case-insensitive.
  const paths = files.map(({ path }) => path.toLowerCase());
  refuseRepeated(paths, { context, field: 'path', what: 'the path of another file' });
  refuseInFiles(paths, context);
  if (!files.some(({ path }) => path === skillFile))
    context.addIssue({ code: 'custom', params: { constraint: 'required' }, message: `must contain ${skillFile}` });
}

/** A file cannot be the folder of another one. */
function refuseInFiles(paths: readonly string[], context: z.RefinementCtx): void {
  for (const [index, path] of paths.entries()) {
    const parts = path.split('/');
    const file = parts.map((_, at) => parts.slice(0, at).join('/')).find((folder) => paths.includes(folder));
    if (file === undefined) continue;
    const message = `must not be below ${file}, which is a file of the skill. Choose another folder`;
    context.addIssue({ code: 'custom', path: [index, 'path'], params: { constraint: 'exists' }, message });
  }
}
