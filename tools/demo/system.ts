import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startOwnSystem } from '../own-system.ts';

/** Where the demo plays. `isOwn`: brought up for it alone, empty at the start. */
export type System = { baseUrl: string; apiKey: string; isOwn: boolean; stop(): Promise<void> };

const root = resolve(import.meta.dirname, '../..');

/** The system at BASE_URL, else the one that runs here, else one of its own on a temporary folder. */
export async function findSystem(env: NodeJS.ProcessEnv): Promise<System> {
  const keyFile = join(resolve(root, env['DATA_DIR'] ?? '.data'), 'first-api-key');
  const apiKey = env['API_KEY'] ?? env['BOOTSTRAP_API_KEY'] ?? readKey(keyFile);
  const baseUrl = (env['BASE_URL'] ?? `http://127.0.0.1:${env['PORT'] ?? 3000}`).replace(/\/$/, '');
  const isUp = await isReady(baseUrl);
  if (env['BASE_URL'] && !isUp) throw new Error(`Nothing is ready at ${baseUrl} (BASE_URL).`);
  if (env['BASE_URL'] && !apiKey) throw new Error(`Set API_KEY: there is no ${keyFile}.`);
  if (isUp && apiKey) return { baseUrl, apiKey, isOwn: false, stop: async () => {} };
  const own = await startOwnSystem(env, { WEBHOOK_RETRY_SCHEDULE: '1,2,5,10' });
  return { ...own, isOwn: true };
}

function readKey(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

async function isReady(baseUrl: string): Promise<boolean> {
  const answer = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(3_000) }).catch(() => undefined);
  await answer?.arrayBuffer().catch(() => {});
  return answer?.ok ?? false;
}
