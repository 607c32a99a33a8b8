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
import { exampleRepository, maxRepositories, repositoriesInput, repository } from './git/git-settings.ts';

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

/** Default of a project. */
export const defaultReworkRounds = 3;
const maxReworkRounds = z
  .int()
  .min(0)
  .max(20)
  .describe(
    'How often the work on a task is sent back to its agent before a person decides: by red checks, reviews, comments on lines and conflicts of its pull request, or by a reviewing agent. 0: a person decides each time.',
  );

const name = requiredText(200).describe('Its name. No other project that is not archived has it.');
const description = requiredText(65_536).describe('What it is for.');
const exampleFields = {
  name: 'Shop',
  description: 'The web shop.',
  repositories: [exampleRepository],
  defaults: exampleDefaults,
  max_rework_rounds: defaultReworkRounds,
};

export const createProjectBody = z
  .strictObject({
    name,
    description: description.nullable().default(null),
    repositories: repositoriesInput.default([]),
    defaults: defaultsInput.default({}),
    max_rework_rounds: maxReworkRounds.default(defaultReworkRounds),
  })
  .meta({ id: 'CreateProject', description: 'A new project.', example: exampleFields });
export type CreateProjectBody = z.output<typeof createProjectBody>;

/** A JSON merge patch; `repositories` are replaced as a whole. */
export const changeProjectBody = z
  .strictObject({
    name: name.optional(),
    description: description.nullable().optional(),
    repositories: repositoriesInput.nullable().optional().describe('All repositories. They replace the present ones.'),
    defaults: defaultsPatch.nullable().optional(),
    max_rework_rounds: maxReworkRounds.nullable().optional(),
  })
  .meta({
    id: 'ChangeProject',
    description: 'A JSON merge patch of a project. Fields that you leave out stay as they are; null resets a field.',
    example: { description: 'The web shop and its API.', defaults: { priority: null } },
  });
export type ChangeProjectBody = z.output<typeof changeProjectBody>;

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
    max_rework_rounds: maxReworkRounds,
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

/** The project of a task as its agent sees it. */
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
