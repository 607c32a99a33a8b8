import type { Api } from './api.ts';
import { namedList, onlyOf, pathByName, projects } from './named.ts';

/** The IDs of projects that are given by ID or by name. Throws a sentence that names the one that does not exist. */
export async function findProjects(api: Api, given: readonly string[], signal: AbortSignal): Promise<string[]> {
  const ids = new Set<string>();
  for (const one of given) ids.add(await findProject(api, one, signal));
  return [...ids];
}

async function findProject(api: Api, given: string, signal: AbortSignal): Promise<string> {
  const isId = projects.id.test(given);
  const path = isId ? `${projects.path}/${given}` : pathByName(projects, given);
  const { status, body, error } = await api({ method: 'GET', path }, signal);
  // The key of an agent may not read projects. It claims their tasks all the same.
  if (isId && (status === 403 || !error)) return given;
  if (status === 403)
    throw new Error(`The key may not look for the project ${JSON.stringify(given)}: give its ID to --project.`);
  if (error && status !== 404) throw new Error(`looking for the project failed with ${status}: ${error.message}`);
  const found = onlyOf(projects, given, error ? { data: [] } : namedList.parse(body));
  if (found.kind === 'one') return found.id;
  throw new Error(found.problem);
}
