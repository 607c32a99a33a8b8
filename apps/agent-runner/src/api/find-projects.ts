import { z } from 'zod';
import type { Api } from './api.ts';

const idShape = /^prj_[0-9a-z]{26}$/;
const named = z.looseObject({ data: z.array(z.looseObject({ id: z.string() })) });

/** The IDs of projects that are given by ID or by name. Throws a sentence that names the one that does not exist. */
export async function findProjects(api: Api, given: readonly string[], signal: AbortSignal): Promise<string[]> {
  const ids = new Set<string>();
  for (const one of given) ids.add(await findProject(api, one, signal));
  return [...ids];
}

async function findProject(api: Api, given: string, signal: AbortSignal): Promise<string> {
  const isId = idShape.test(given);
  const path = isId ? `/v1/projects/${given}` : `/v1/projects?${new URLSearchParams({ name: given, limit: '1' })}`;
  const { status, body, error } = await api({ method: 'GET', path }, signal);
  if (status === 403) {
    // The key of an agent may not read projects. It claims their tasks all the same.
    if (isId) return given;
    throw new Error(`The key may not look for the project ${JSON.stringify(given)}: give its ID to --project.`);
  }
  if (error && status !== 404) throw new Error(`looking for the project failed with ${status}: ${error.message}`);
  const id = error ? undefined : isId ? given : named.parse(body).data[0]?.id;
  if (id === undefined) throw new Error(`There is no project ${JSON.stringify(given)}.`);
  return id;
}
