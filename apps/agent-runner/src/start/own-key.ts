import { hostname } from 'node:os';
import { z } from 'zod';
import type { Account } from '../account/account.ts';
import { openKeyStore } from '../account/key-store.ts';
import type { Api } from '../api/api.ts';
import { checkKey } from '../api/check-key.ts';
import type { Env } from '../key/env.ts';

const madeKey = z.looseObject({ key: z.string() });
type Parts = { connect: (apiKey: string) => Api; signal: AbortSignal };

/**
 * The key of the agent itself: made once with the key of a login, and kept. It may do what an agent does and no more. A
 * login that may not make keys works with its own.
 */
export async function ownKey(
  agentId: string,
  { url, apiKey, env }: Account & { env: Env },
  { connect, signal }: Parts,
): Promise<string> {
  const keys = await openKeyStore(env);
  const name = `${url} ${agentId}`;
  const kept = keys.read(name);
  if (kept !== undefined) {
    if ((await checkKey(connect(kept), signal)).kind === 'agent') return kept;
    keys.remove(name);
  }
  const body = { name: `eas on ${hostname()}`.slice(0, 200) };
  const made = await connect(apiKey)({ method: 'POST', path: `/v1/agents/${agentId}/keys`, body }, signal);
  if (made.error) return apiKey;
  const { key } = madeKey.parse(made.body);
  keys.write(name, key);
  return key;
}
