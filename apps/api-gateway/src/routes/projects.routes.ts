import {
  changeProjectBody,
  createProjectBody,
  idOutput,
  listBody,
  pageOf,
  projectList,
  projectListQuery,
  projectResource,
} from '@eas/contracts';
import { defineRoute, type Route } from '@eas/http';
import { getProject, listProjects, type RepositoryRules } from '@eas/tasks';
import { z } from 'zod';
import { archiveProject, changeProject, createProject, unarchiveProject } from '../operations/change-projects.ts';

const tags = ['Projects'] as const;
const params = z.object({ project_id: idOutput });
const readOnly = ['id', 'version', 'created_at', 'updated_at', 'archived_at'] as const;
const shown = { 200: { description: 'The project.', schema: projectResource } };
const archiving = { method: 'POST', tags, access: { scope: 'projects:write' }, params, responses: shown } as const;

const readRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/v1/projects',
    operationId: 'listProjects',
    summary: 'List projects',
    description: ['Returns a page of projects. Archived ones are left out unless you ask for them with `is_archived`.'],
    tags,
    access: { scope: 'tasks:read' },
    query: projectListQuery,
    responses: { 200: { description: 'A page of projects, newest first by default.', schema: projectList } },
    errors: ['invalid_request'],
    handler: async (ctx, { query: { limit, offset, after, sort, ...filter } }) => {
      const page = pageOf({ limit, offset, after, sort });
      return { status: 200, body: listBody(page, await listProjects(ctx, filter, page)) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/projects/{project_id}',
    operationId: 'getProject',
    summary: 'Get a project',
    description: [
      'Returns a project with its repositories and the defaults of its tasks.',
      'The `ETag` of the response is its version: send it as `If-Match` when you change it.',
    ],
    tags,
    access: { scope: 'tasks:read' },
    params,
    isVersioned: true,
    responses: shown,
    errors: ['not_found'],
    handler: async (ctx, { params: { project_id: projectId } }) => ({
      status: 200,
      ...(await getProject(ctx, projectId)),
    }),
  }),
];

const archiveRoutes: Route[] = [
  defineRoute({
    ...archiving,
    path: '/v1/projects/{project_id}/archive',
    operationId: 'archiveProject',
    summary: 'Archive a project',
    description: [
      'Archives a project that is no longer worked on: no new task can have it (409), `metadata.repository` does not find it, and lists leave it out. Tasks that have it keep it.',
      'The project stays readable and keeps its version. `unarchiveProject` takes this back.',
    ],
    errors: ['not_found'],
    handler: async (ctx, { params }) => ({ status: 200, ...(await archiveProject(ctx, params.project_id)) }),
  }),
  defineRoute({
    ...archiving,
    path: '/v1/projects/{project_id}/unarchive',
    operationId: 'unarchiveProject',
    summary: 'Unarchive a project',
    description: ['Lets new tasks have an archived project again. If another project has its name by now, it is 409.'],
    errors: ['not_found', 'conflict'],
    handler: async (ctx, { params }) => ({ status: 200, ...(await unarchiveProject(ctx, params.project_id)) }),
  }),
];

const writeRoutes = (rules: RepositoryRules): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/v1/projects',
    operationId: 'createProject',
    summary: 'Create a project',
    description: [
      'Creates a project: git repositories with their setup and checks, and defaults for new tasks. A task names it with `project`, or by `metadata.repository`, and its agent gets the repositories with the claim.',
      'Setup and checks are shell commands that run on the machines of agents. Each change is in the audit log.',
    ],
    tags,
    access: { scope: 'projects:write' },
    body: createProjectBody,
    readOnly,
    responses: {
      201: {
        description: 'The created project.',
        schema: projectResource,
        headers: { Location: 'Path of the created resource.' },
      },
    },
    errors: ['invalid_input', 'conflict'],
    handler: async (ctx, { body: input }) => {
      const { body, version } = await createProject(ctx, input, rules);
      return { status: 201, body, version, headers: { Location: `/v1/projects/${body.id}` } };
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: '/v1/projects/{project_id}',
    operationId: 'changeProject',
    summary: 'Change a project',
    description: [
      'Changes a project with a JSON merge patch. `repositories` are replaced as a whole.',
      'Agents get the change with their next claim; tasks that are being worked on go on with what their claim said.',
    ],
    tags,
    access: { scope: 'projects:write' },
    params,
    body: changeProjectBody,
    readOnly,
    isVersioned: true,
    responses: shown,
    errors: ['invalid_input', 'not_found', 'conflict'],
    handler: async (ctx, { params: { project_id: projectId }, body, ifMatch }) => ({
      status: 200,
      ...(await changeProject(ctx, { projectId, ifMatch, body }, rules)),
    }),
  }),
];

export const projectRoutes = (rules: RepositoryRules): Route[] => [
  ...writeRoutes(rules),
  ...readRoutes,
  ...archiveRoutes,
];
