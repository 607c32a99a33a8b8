import { queryOptions, useQueries } from '@tanstack/react-query';
import { api, read, type Schemas } from '../../api/client.ts';
import { slow } from '../../live/gather-stale.ts';
import { gatherIds } from './gather-ids.ts';

type Name = Schemas['Name'];

const readName = gatherIds(async (ids): Promise<readonly Name[]> => {
  const { data } = await read(api.GET('/admin/api/names', { params: { query: { ids: ids.join(',') } } }));
  return data;
});

const nameQuery = (id: string) => queryOptions({ queryKey: ['names', id], queryFn: () => readName(id), ...slow });

const isActorId = (text: string): boolean => /^(usr|key|cli|agt|int)_[0-9a-z]+$/.test(text);

/** Actors without an ID. */
const words: Readonly<Record<string, string>> = { system: 'the service', anonymous: 'not signed in' };

/** The name of a user, key, client, agent or integration, removed ones too; for other IDs the ID itself. */
export function useActorNames(ids: readonly string[]): (id: string) => string {
  const asked = [...new Set(ids.filter(isActorId))];
  const found = useQueries({ queries: asked.map(nameQuery) });
  const texts = new Map(asked.map((id, at) => [id, textOf(id, found[at])]));
  return (id) => texts.get(id) ?? words[id] ?? id;
}

function textOf(id: string, found: { data?: Name | null | undefined; isPending: boolean } | undefined): string {
  if (found?.data) return found.data.is_removed ? `${found.data.name} (removed)` : found.data.name;
  return found?.isPending ? '…' : id;
}

/** The IDs of actors in a value of any shape. */
export function actorIdsIn(value: unknown): string[] {
  if (typeof value === 'string') return isActorId(value) ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(actorIdsIn) : [];
}
