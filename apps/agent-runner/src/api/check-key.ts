import { z } from 'zod';
import type { ApiResponse, Api } from './api.ts';

const known = z.looseObject({ id: z.string(), name: z.string(), role: z.string() });
export type KnownAgent = z.infer<typeof known>;

/** The kind of a key: of an agent, another valid one, or refused. */
export type Key = { kind: 'agent'; agent: KnownAgent } | { kind: 'other' } | { kind: 'refused'; response: ApiResponse };

/** Asks the service what the key is that `api` calls with. */
export async function checkKey(api: Api, signal: AbortSignal): Promise<Key> {
  const response = await api({ method: 'GET', path: '/v1/agents/me' }, signal);
  const { body, error } = response;
  if (!error) return { kind: 'agent', agent: known.parse(body) };
  // Only keys of agents may call this; other valid keys get another error.
  return error.code === 'not_found' || error.code === 'forbidden' ? { kind: 'other' } : { kind: 'refused', response };
}
