import { z } from 'zod';
import { requiredText } from '../../fields.ts';
import { refuseRepeated } from '../../repeated.ts';
import { branchProblem, copyPathProblem } from './git-names.ts';
import { maxRepositoryUrlLength, readRepositoryUrl } from './git-url.ts';

export const maxRepositories = 20;
/** Maximum serialised size of all repositories of a project: every claim of its tasks contains them. */
const maxRepositoriesBytes = 64 * 1024;
const maxCommandLength = 8_192;

/** A text that must satisfy a rule. */
export const ruled = (maxLength: number, problemOf: (text: string) => string | undefined) =>
  requiredText(maxLength).superRefine((text, context) => {
    const message = text.trim() === '' ? undefined : problemOf(text);
    if (message !== undefined) context.addIssue({ code: 'custom', params: { constraint: 'format' }, message });
  });

const urlProblem = (text: string) => {
  const read = readRepositoryUrl(text);
  return read.isValid ? undefined : read.message;
};

const texts = {
  url: 'Address of the repository as git takes it: https, ssh or `git@host:owner/name.git`, without credentials. Local paths and private hosts only where the installation allows them.',
  branch: 'The branch that work starts from and goes back to.',
  setup: 'Shell command that the runner executes once in each new worktree, such as `npm ci`. null: none.',
  copyFiles:
    'Files that the runner copies into each new worktree because the repository does not have them, such as `.env`: relative paths or globs.',
  checks: 'Commands that the runner executes after the work. All must exit with 0.',
  command: 'The shell command. It runs in the root folder of the worktree.',
  timeout: 'After this number of seconds the check is stopped and has failed.',
};
const checkText = 'A command that shows whether work is good.';
const command = requiredText(maxCommandLength);
const timeoutSeconds = z.int().min(1).max(86_400);

const exampleCheck = { name: 'tests', command: 'npm test', timeout_seconds: 900 };
export const exampleRepository = {
  url: 'https://github.com/acme/web.git',
  base_branch: 'main',
  setup: 'npm ci',
  copy_files: ['.env'],
  checks: [exampleCheck],
};

export const checkInput = z
  .strictObject({
    name: requiredText(100).describe('What the check is called, such as `tests`.'),
    command: command.describe(texts.command),
    timeout_seconds: timeoutSeconds.default(600).describe(texts.timeout),
  })
  .meta({ id: 'RepositoryCheckSettings', description: checkText, example: exampleCheck });

const repositoryInput = z
  .strictObject({
    url: ruled(maxRepositoryUrlLength, urlProblem).describe(texts.url),
    base_branch: ruled(200, branchProblem).default('main').describe(texts.branch),
    setup: command.nullable().default(null).describe(texts.setup),
    copy_files: z.array(ruled(500, copyPathProblem)).max(50).default([]).describe(texts.copyFiles),
    checks: z.array(checkInput).max(20).default([]).describe(texts.checks),
  })
  .meta({ id: 'RepositorySettings', description: 'A git repository of a project.', example: exampleRepository });

/** Two of one name or address, and too much in all. */
function checkRepositories(repositories: z.output<typeof repositoryInput>[], context: z.RefinementCtx): void {
  const refuse = (path: (string | number)[], constraint: string, message: string) =>
    context.addIssue({ code: 'custom', path, params: { constraint }, message });
  if (Buffer.byteLength(JSON.stringify(repositories)) > maxRepositoriesBytes)
    refuse([], 'max_size', `must be at most ${maxRepositoriesBytes} bytes when serialised`);
  const keys = repositories.map(({ url }) => {
    const read = readRepositoryUrl(url);
    return read.isValid ? read.key : url;
  });
  for (const [index, { checks }] of repositories.entries()) {
    const first = keys.indexOf(keys[index] ?? '');
    if (first < index) refuse([index, 'url'], 'exists', `is the same repository as repositories.${first}. Remove one`);
    const names = checks.map(({ name }) => name);
    refuseRepeated(names, { context, at: [index, 'checks'], field: 'name', what: 'the name of another check' });
  }
}

/** All repositories of a project, as they are sent. */
export const repositoriesInput = z
  .array(repositoryInput)
  .max(maxRepositories)
  .superRefine(checkRepositories)
  .describe(`Its git repositories, at most ${maxRepositoriesBytes / 1024} KiB when serialised.`);

export const check = z
  .object({
    name: z.string().max(100).describe('What the check is called.'),
    command: z.string().max(maxCommandLength).describe(texts.command),
    timeout_seconds: timeoutSeconds.describe(texts.timeout),
  })
  .meta({ id: 'RepositoryCheck', description: checkText, example: exampleCheck });

export const repository = z
  .object({
    url: z.string().max(maxRepositoryUrlLength).describe(texts.url),
    base_branch: z.string().max(200).describe(texts.branch),
    setup: z.string().max(maxCommandLength).nullable().describe(texts.setup),
    copy_files: z.array(z.string().max(500)).max(50).describe(texts.copyFiles),
    checks: z.array(check).max(20).describe(texts.checks),
  })
  .meta({ id: 'Repository', description: 'A git repository of a project.', example: exampleRepository });
export type Repository = z.infer<typeof repository>;
