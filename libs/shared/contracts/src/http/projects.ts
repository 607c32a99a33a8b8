import { z } from 'zod';
import {
  exampleId,
  exampleTime,
  idOf,
  requiredText,
  role,
  tag,
  timestampInput,
  timestampOutput,
  wholeNumberInput,
} from '../fields.ts';
import { listQuery, listResponse } from './list.ts';
import { taskPriorities } from './tasks.ts';
import { branchProblem, copyPathProblem } from './git/git-names.ts';
import { maxRepositoryUrlLength, readRepositoryUrl } from './git/git-url.ts';

const maxRepositories = 20;
/** Of all repositories of a project together, when serialised: every claim of its tasks brings them. */
const maxRepositoriesBytes = 64 * 1024;
const maxCommandLength = 8_192;

/** A text that a rule must find nothing wrong with. */
const ruled = (maxLength: number, problemOf: (text: string) => string | undefined) =>
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
const checkName = requiredText(100).describe('What the check is called, such as `tests`.');
const command = requiredText(maxCommandLength);
const timeoutSeconds = z.int().min(1).max(86_400);

const exampleCheck = { name: 'tests', command: 'npm test', timeout_seconds: 900 };
const exampleRepository = {
  url: 'https://github.com/acme/web.git',
  base_branch: 'main',
  setup: 'npm ci',
  copy_files: ['.env'],
  checks: [exampleCheck],
};

const checkInput = z
  .strictObject({
    name: checkName,
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

type RepositoryInput = z.output<typeof repositoryInput>;

/** Two of one name or address, and too much in all. */
function checkRepositories(repositories: RepositoryInput[], context: z.RefinementCtx): void {
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
    for (const [at, name] of names.entries())
      if (names.indexOf(name) < at)
        refuse([index, 'checks', at, 'name'], 'exists', 'is already the name of another check. Choose another one');
  }
}

const repositories = z
  .array(repositoryInput)
  .max(maxRepositories)
  .superRefine(checkRepositories)
  .describe(`Its git repositories, at most ${maxRepositoriesBytes / 1024} KiB when serialised.`);

const priority = z.enum(taskPriorities);
const defaultFields = {
  assigned_role: role.describe('Role of tasks that name none.'),
  priority: priority.describe('Priority of tasks that name none.'),
  tags: z.array(tag).max(50).describe('Labels of tasks that name none.'),
};
const exampleDefaults = { assigned_role: 'rd', priority: 'high', tags: ['web'] };
const defaultsText = 'What new tasks of the project get where they leave it out.';

const defaultsInput = z
  .strictObject({
    assigned_role: defaultFields.assigned_role.optional(),
    priority: defaultFields.priority.optional(),
    tags: defaultFields.tags.optional(),
  })
  .meta({ id: 'ProjectDefaultsInput', description: defaultsText, example: exampleDefaults });

const defaultsPatch = z
  .strictObject({
    assigned_role: defaultFields.assigned_role.nullable().optional(),
    priority: defaultFields.priority.nullable().optional(),
    tags: defaultFields.tags.nullable().optional(),
  })
  .meta({ id: 'ProjectDefaultsPatch', description: `${defaultsText} null removes a field.`, example: exampleDefaults });

const name = requiredText(200).describe('Its name. No other project that is not archived has it.');
const description = requiredText(65_536).describe('What it is for.');
const exampleFields = {
  name: 'Shop',
  description: 'The web shop.',
  repositories: [exampleRepository],
  defaults: exampleDefaults,
};

export const createProjectBody = z
  .strictObject({
    name,
    description: description.nullable().default(null),
    repositories: repositories.default([]),
    defaults: defaultsInput.default({}),
  })
  .meta({ id: 'CreateProject', description: 'A new project.', example: exampleFields });
export type CreateProjectBody = z.output<typeof createProjectBody>;

/** A JSON merge patch; `repositories` are replaced as a whole. */
export const changeProjectBody = z
  .strictObject({
    name: name.optional(),
    description: description.nullable().optional(),
    repositories: repositories.nullable().optional().describe('All repositories. They replace the present ones.'),
    defaults: defaultsPatch.nullable().optional(),
  })
  .meta({
    id: 'ChangeProject',
    description: 'A JSON merge patch of a project. Fields that you leave out stay as they are; null resets a field.',
    example: { description: 'The web shop and its API.', defaults: { priority: null } },
  });
export type ChangeProjectBody = z.output<typeof changeProjectBody>;

const check = z
  .object({
    name: z.string().max(100).describe('What the check is called.'),
    command: z.string().max(maxCommandLength).describe(texts.command),
    timeout_seconds: timeoutSeconds.describe(texts.timeout),
  })
  .meta({ id: 'RepositoryCheck', description: checkText, example: exampleCheck });

const repository = z
  .object({
    url: z.string().max(maxRepositoryUrlLength).describe(texts.url),
    base_branch: z.string().max(200).describe(texts.branch),
    setup: z.string().max(maxCommandLength).nullable().describe(texts.setup),
    copy_files: z.array(z.string().max(500)).max(50).describe(texts.copyFiles),
    checks: z.array(check).max(20).describe(texts.checks),
  })
  .meta({ id: 'Repository', description: 'A git repository of a project.', example: exampleRepository });
export type Repository = z.infer<typeof repository>;

const defaults = z
  .object({
    assigned_role: z.string().max(64).optional().describe('Role of tasks that name none.'),
    priority: defaultFields.priority.optional(),
    tags: z.array(z.string().max(64)).max(50).optional().describe('Labels of tasks that name none.'),
  })
  .meta({ id: 'ProjectDefaults', description: defaultsText, example: exampleDefaults });
export type ProjectDefaults = z.infer<typeof defaults>;

export const projectResource = z
  .object({
    id: idOf('ID of the project.'),
    name: z.string().max(200).describe('Its name.'),
    description: z.string().max(65_536).nullable().describe('What it is for.'),
    repositories: z.array(repository).max(maxRepositories).describe('Its git repositories.'),
    defaults,
    version: z.int().min(1).max(2_147_483_647).describe('Grows with each change. It is the `ETag`.'),
    created_at: timestampOutput.describe('When the project was created.'),
    updated_at: timestampOutput.describe('When the project was last changed.'),
    archived_at: timestampOutput
      .nullable()
      .describe('Since when no new task can have the project. null: it is not archived.'),
  })
  .meta({
    id: 'Project',
    description: 'What tasks belong to: git repositories with their checks, and defaults for new tasks.',
    example: {
      id: exampleId('prj'),
      ...exampleFields,
      version: 1,
      created_at: exampleTime,
      updated_at: exampleTime,
      archived_at: null,
    },
  });
export type ProjectResource = z.infer<typeof projectResource>;

const text = z.string().max(500);
const filters = {
  id: text,
  name: text,
  description: z.string().max(4_000),
  version: wholeNumberInput(0, 2_147_483_647),
  created_at: timestampInput,
  updated_at: timestampInput,
  archived_at: timestampInput,
};
export const projectListFields = Object.keys(filters) as [keyof typeof filters];

export const projectListQuery = listQuery({
  sortable: projectListFields,
  filters: {
    ...filters,
    is_archived: z.enum(['true', 'false', 'any']).meta({
      default: 'false',
      description: 'Only archived projects (`true`), only others (`false`), or `any` projects.',
    }),
  },
});
export type ProjectListQuery = z.output<typeof projectListQuery>;

export const projectList = listResponse(projectResource);

const claimedRepository = repository
  .extend({
    is_named: z.boolean().describe('Whether `metadata.repository` of the task names this one. It is then the first.'),
  })
  .meta({ id: 'TaskRepository', base: 'Repository', description: 'A repository of the project of a task.' });

/** What an agent gets to know of the project of its task. */
export const claimedProject = z
  .object({
    id: idOf('ID of the project.'),
    name: z.string().max(200).describe('Its name.'),
    repositories: z
      .array(claimedRepository)
      .max(maxRepositories)
      .describe('Its git repositories. The one that the task names is the first.'),
  })
  .meta({
    id: 'ClaimedProject',
    description: 'The project that the task belongs to.',
    example: {
      id: exampleId('prj'),
      name: exampleFields.name,
      repositories: [{ ...exampleRepository, is_named: true }],
    },
  });
export type ClaimedProject = z.infer<typeof claimedProject>;
