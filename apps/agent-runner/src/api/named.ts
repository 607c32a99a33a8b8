import { z } from 'zod';

/** What can be given by ID or by name: where it is listed, the form of its IDs, and what people call it. */
export type Named = { path: string; id: RegExp; what: string };

export const projects: Named = { path: '/v1/projects', id: /^prj_[0-9a-z]{26}$/, what: 'project' };
export const workflows: Named = { path: '/v1/workflows', id: /^wfl_[0-9a-z]{26}$/, what: 'workflow' };

/** Lists those with a name, as far as it has to be known. */
export const pathByName = ({ path }: Named, name: string): string =>
  `${path}?${new URLSearchParams({ name, limit: '2' })}`;

/** What pathByName lists. */
export const namedList = z.looseObject({ data: z.array(z.looseObject({ id: z.string() })) });

/** `problem`: a sentence for who gave the name. */
export type ByName = { kind: 'one'; id: string } | { kind: 'none' | 'several'; problem: string };

export function onlyOf({ what }: Named, name: string, { data: [only, another] }: z.infer<typeof namedList>): ByName {
  const shown = JSON.stringify(name);
  if (!only) return { kind: 'none', problem: `There is no ${what} ${shown}.` };
  if (another) return { kind: 'several', problem: `Several ${what}s are called ${shown}: use an ID.` };
  return { kind: 'one', id: only.id };
}
