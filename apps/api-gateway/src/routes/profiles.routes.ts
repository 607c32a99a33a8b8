import {
  changeProfileBody,
  createProfileBody,
  idOutput,
  listBody,
  pageOf,
  profileList,
  profileListQuery,
  profileResource,
  profileVersion,
  profileVersionList,
} from '@eas/contracts';
import { defineRoute, type Route } from '@eas/http';
import {
  assertSeesAgent,
  getProfile,
  getProfileOfAgent,
  getProfileVersion,
  listProfiles,
  listProfileVersions,
} from '@eas/tasks';
import { z } from 'zod';
import { changeProfile, createProfile, removeProfile } from '../operations/change-profiles.ts';

const tags = ['Profiles'] as const;
const params = z.object({ profile_id: idOutput });
const readOnly = ['id', 'version', 'created_at', 'updated_at'] as const;
const shown = { 200: { description: 'The profile.', schema: profileResource } };
const [mayRead, mayWrite] = [{ scope: 'tasks:read' }, { scope: 'projects:write' }] as const;

const readRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/v1/profiles',
    operationId: 'listProfiles',
    summary: 'List profiles',
    description: ['Returns a page of profiles with the roles and agents that have them, without their settings.'],
    tags,
    access: mayRead,
    query: profileListQuery,
    responses: { 200: { description: 'A page of profiles, newest first by default.', schema: profileList } },
    errors: ['invalid_request'],
    handler: async (ctx, { query: { limit, offset, after, sort, ...filter } }) => {
      const page = pageOf({ limit, offset, after, sort });
      return { status: 200, body: listBody(page, await listProfiles(ctx, filter, page)) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/profiles/{profile_id}',
    operationId: 'getProfile',
    summary: 'Get a profile',
    description: [
      'Returns a profile with its settings.',
      'The `ETag` of the response is its version: send it as `If-Match` when you change it.',
    ],
    tags,
    access: mayRead,
    params,
    isVersioned: true,
    responses: shown,
    errors: ['not_found'],
    handler: async (ctx, { params: { profile_id: profileId } }) => ({
      status: 200,
      ...(await getProfile(ctx, profileId)),
    }),
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/agents/{agent_id}/profile',
    operationId: 'getAgentProfile',
    summary: 'Get the profile of an agent',
    description: [
      'Returns the profile that an agent works by: its own, else that of its role. With neither the response is 404.',
      'The runner asks for it at the beginning of each task. An agent key can read only that of its own agent.',
    ],
    tags,
    access: { scope: ['agents:read', 'agent:self'] },
    params: z.object({ agent_id: idOutput }),
    isVersioned: true,
    responses: shown,
    errors: ['not_found'],
    handler: async (ctx, { params: { agent_id: agentId }, principal: { scopes } }) => {
      assertSeesAgent(ctx, { agentId, scopes });
      return { status: 200, ...(await getProfileOfAgent(ctx, agentId)) };
    },
  }),
];

const versionRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/v1/profiles/{profile_id}/versions',
    operationId: 'listProfileVersions',
    summary: 'List the versions of a profile',
    description: [
      'Returns the versions that changed the settings of a profile, newest first. The newest 100 are kept.',
    ],
    tags,
    access: mayRead,
    params,
    responses: { 200: { description: 'The versions.', schema: profileVersionList } },
    errors: ['not_found'],
    handler: async (ctx, { params: { profile_id: profileId } }) => ({
      status: 200,
      body: { data: await listProfileVersions(ctx, profileId) },
    }),
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/profiles/{profile_id}/versions/{version}',
    operationId: 'getProfileVersion',
    summary: 'Get a version of a profile',
    description: [
      'Returns the settings of a profile as they were. Where a version changed the name, roles or agents alone, `version` is the earlier one that brought the settings. To go back to them, send them with `changeProfile`.',
    ],
    tags,
    access: mayRead,
    params: params.extend({ version: idOutput }),
    responses: { 200: { description: 'The version.', schema: profileVersion } },
    errors: ['not_found'],
    handler: async (ctx, { params: { profile_id: profileId, version } }) => ({
      status: 200,
      body: await getProfileVersion(ctx, { profileId, version }),
    }),
  }),
];

const writeRoutes: Route[] = [
  defineRoute({
    method: 'POST',
    path: '/v1/profiles',
    operationId: 'createProfile',
    summary: 'Create a profile',
    description: [
      'Creates a profile: instructions, model, skills, MCP servers and checks for the agents of some roles, or for single agents. The runner gives it to the agent at the beginning of each task, and none of it is committed to a repository.',
      'Checks and MCP servers are commands that run on the machines of agents. Each change is in the audit log.',
    ],
    tags,
    access: mayWrite,
    body: createProfileBody,
    readOnly,
    responses: {
      201: {
        description: 'The created profile.',
        schema: profileResource,
        headers: { Location: 'Path of the created resource.' },
      },
    },
    errors: ['invalid_input', 'conflict'],
    handler: async (ctx, { body: input }) => {
      const { body, version } = await createProfile(ctx, input);
      return { status: 201, body, version, headers: { Location: `/v1/profiles/${body.id}` } };
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: '/v1/profiles/{profile_id}',
    operationId: 'changeProfile',
    summary: 'Change a profile',
    description: [
      'Changes a profile with a JSON merge patch. Lists are replaced as a whole.',
      'Agents get the change with their next task. Earlier settings stay readable with `listProfileVersions`.',
    ],
    tags,
    access: mayWrite,
    params,
    body: changeProfileBody,
    readOnly,
    isVersioned: true,
    responses: shown,
    errors: ['invalid_input', 'not_found', 'conflict'],
    handler: async (ctx, { params: { profile_id: profileId }, body, ifMatch }) => ({
      status: 200,
      ...(await changeProfile(ctx, { profileId, ifMatch, body })),
    }),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/profiles/{profile_id}',
    operationId: 'deleteProfile',
    summary: 'Delete a profile',
    description: ['Deletes a profile with all of its versions. Its roles and agents have none any more.'],
    tags,
    access: mayWrite,
    params,
    isVersioned: true,
    responses: { 204: { description: 'Done. The response has no body.' } },
    errors: ['not_found'],
    handler: async (ctx, { params: { profile_id: profileId }, ifMatch }) => {
      await removeProfile(ctx, { profileId, ifMatch });
      return { status: 204 };
    },
  }),
];

export const profileRoutes: Route[] = [...writeRoutes, ...readRoutes, ...versionRoutes];
