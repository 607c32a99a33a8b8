import { startOwnSystem } from '@eas/testing/own-system';
import { makeDemoTenant } from './tenant.ts';

/** The system and tenant of the demo; the tenant is removed at the end. `tenant`: its slug on a system in use. */
export type System = { baseUrl: string; apiKey: string; tenant: string | undefined; stop(): Promise<unknown> };

/** The system at BASE_URL, else the one that runs here, else one brought up for the demo on a temporary folder. */
export async function findSystem(env: NodeJS.ProcessEnv): Promise<System> {
  const baseUrl = (env['BASE_URL'] ?? `http://127.0.0.1:${env['PORT'] ?? 3000}`).replace(/\/$/, '');
  if (await isReady(baseUrl)) return inTenant(env, baseUrl);
  if (env['BASE_URL']) throw new Error(`Nothing is ready at ${baseUrl} (BASE_URL).`);
  const own = await startOwnSystem(env, { WEBHOOK_RETRY_SCHEDULE: '1,2,5,10' });
  return { ...own, tenant: undefined };
}

async function inTenant(env: NodeJS.ProcessEnv, baseUrl: string): Promise<System> {
  const needed = `the database of the system at ${baseUrl} is needed: set its DATA_DIR or DATABASE_URL`;
  const { slug, apiKey, remove } = await makeDemoTenant(env).catch((error: Error) => {
    throw new Error(`${error.message} (${needed})`);
  });
  if (await isLetIn(baseUrl, apiKey)) return { baseUrl, apiKey, tenant: slug, stop: remove };
  await remove();
  throw new Error(`a key that npm run cmd made is refused: ${needed}.`);
}

/** The tenant of the key is where all further calls go. */
async function isLetIn(baseUrl: string, apiKey: string): Promise<boolean> {
  const response = await fetch(`${baseUrl}/v1/tasks?limit=1`, { headers: { 'x-api-key': apiKey } });
  await response.arrayBuffer();
  return response.ok;
}

async function isReady(baseUrl: string): Promise<boolean> {
  const response = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(3_000) }).catch(() => undefined);
  await response?.arrayBuffer().catch(() => {});
  return response?.ok ?? false;
}
