import { api, read, type Schemas } from '../../api/client.ts';
import { integrationsQuery } from '../integrations/integration-list.ts';
import { type Integration, nameOf } from '../integrations/integration-names.ts';
import { type Project, projectsQuery } from '../project-queries.ts';
import { workflowsQuery } from '../run-queries.ts';
import { agentsQuery } from '../task-queries.ts';
import type { NameSource } from './name-source.ts';

const isId = (text: string): boolean => /^[a-z]{3}_[0-9a-z]{26}$/.test(text);

/** The filter of a list by a whole name or an ID. */
export const byNameOrId = (text: string) => (isId(text) ? { id: text } : { name: text });

export const agentNames: NameSource<Schemas['Agent']> = {
  one: 'agent',
  many: 'agents',
  scope: 'agents:read',
  list: agentsQuery,
  by: 'name or ID',
  find: async (text) => (await read(api.GET('/v1/agents', { params: { query: byNameOrId(text) } }))).data,
  labelOf: ({ name, role }) => `${name} (${role})`,
};

export const workflowNames: NameSource<Schemas['Workflow']> = {
  one: 'workflow',
  many: 'workflows',
  scope: 'workflows:read',
  list: workflowsQuery,
  by: 'name or ID',
  find: async (text) => {
    const query = { ...byNameOrId(text), is_archived: 'any' as const };
    return (await read(api.GET('/v1/workflows', { params: { query } }))).data;
  },
  labelOf: ({ name }) => name,
};

export const projectNames: NameSource<Project> = {
  one: 'project',
  many: 'projects',
  scope: 'tasks:read',
  list: projectsQuery,
  by: 'name or ID',
  find: async (text) => {
    const query = { ...byNameOrId(text), is_archived: 'any' as const };
    return (await read(api.GET('/v1/projects', { params: { query } }))).data;
  },
  labelOf: ({ name, archived_at: archived }) => (archived === null ? name : `${name} (archived)`),
};

const isUsable = ({ archived_at: archived }: Project): boolean => archived === null;

/** Agents that can be assigned a task. */
export const usableProjectNames: NameSource<Project> = {
  ...projectNames,
  list: { ...projectsQuery, select: ({ data, isAll }) => ({ data: data.filter(isUsable), isAll }) },
  find: async (text) => (await projectNames.find(text)).filter(isUsable),
};

const receives = ({ type }: Integration): boolean => type !== 'slack';

/** Integrations that receive. They have no name that the API finds. */
export const senderNames: NameSource<Integration> = {
  one: 'integration',
  many: 'integrations',
  scope: 'integrations:read',
  list: { ...integrationsQuery, select: ({ data, isAll }) => ({ data: data.filter(receives), isAll }) },
  by: 'ID',
  find: async (text) => {
    const { data } = await read(api.GET('/v1/integrations', { params: { query: { id: text } } }));
    return data.filter(receives);
  },
  labelOf: nameOf,
};
