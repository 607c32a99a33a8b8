import type { ClaimedProject, ProfileResource } from '@eas/contracts';
import type { Api } from '../api/api.ts';
import type { Env } from '../key/env.ts';
import { type McpServer, mcpServersOf } from './mcp-servers.ts';
import { readProfile } from './read-profile.ts';
import { type PlacedSkill, placeSkills } from './skills.ts';

/** A profile, ready for the agent of one attempt. */
export type TaskProfile = {
  /** What the agent is given of it with its task. */
  shown: Pick<ProfileResource, 'id' | 'name' | 'version' | 'instructions' | 'model' | 'effort'> & {
    skills: PlacedSkill[];
  };
  mcpServers: McpServer[];
  checks: ProfileResource['checks'];
};

/** What the session of a task says of the profile that its agent works by. */
export const profileNotice = ({ shown: { name, version } }: TaskProfile): string =>
  `profile ${name}, version ${version}`;

export type ProfileParts = {
  api: Api;
  agentId: string;
  /** Where the variables of its MCP servers come from. */
  serverEnv: Env;
  taskFolder: { path: string };
  signal: AbortSignal;
};

/** Reads the profile of the agent and puts its files in place. Undefined: it has none. Throws TaskFailure. */
export async function openProfile(parts: ProfileParts): Promise<TaskProfile | undefined> {
  const { api, agentId, serverEnv, taskFolder, signal } = parts;
  const profile = await readProfile(api, agentId, signal);
  const skills = await placeSkills(profile?.skills ?? [], taskFolder.path);
  if (!profile) return undefined;
  const { id, name, version, instructions, model, effort, checks } = profile;
  const shown = { id, name, version, instructions, model, effort, skills };
  return { shown, mcpServers: mcpServersOf(profile, serverEnv), checks };
}

/** The project with the checks of a profile next to those of each repository, which come first and keep their names. */
export function withChecks(project: ClaimedProject, profile: TaskProfile | undefined): ClaimedProject {
  if (!profile || profile.checks.length === 0) return project;
  const repositories = project.repositories.map((repository) => {
    const names = new Set(repository.checks.map(({ name }) => name));
    const more = profile.checks.filter(({ name }) => !names.has(name));
    return { ...repository, checks: [...repository.checks, ...more] };
  });
  return { ...project, repositories };
}
