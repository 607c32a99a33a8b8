// One running system for all suites of a run that do not start, crash or set up one themselves, or one for those with the same
// settings: each suite gets a tenant of it.
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { noteSecret, refuseSecretsIn } from '../secret-watch.ts';
import { type OwnSystem, startOwnSystem } from './own-system.ts';

const run = promisify(execFile);
const maker = resolve(import.meta.dirname, '../../../../../apps/standalone/test/make-tenants.ts');
/** A process that makes tenants needs a second for itself, and little for each of them. */
const madeTogether = 15;

/** Where suites ask for a tenant: set for Jest's workers by its global setup. */
export const systemBrokerVariable = 'TEST_SYSTEM_BROKER';

type SystemTenant = { baseUrl: string; apiKey: string; tenant: string; dataDir: string };
/** A tenant of the shared system, empty except for the shipped workflows. `apiKey` has every scope. */
export type JoinedSystem = SystemTenant & {
  /** Throws when a process of the system has logged a secret that the suite knows. The system goes on. */
  stop(): Promise<void>;
};
type Settings = Readonly<Record<string, string>>;
export type SystemBroker = { url: string; stop(): Promise<void> };

/**
 * Starts a system when the first suite requests its settings; in Jest's main process, since its workers come and go.
 */
export async function startSystemBroker(): Promise<SystemBroker> {
  const systems = new Map<string, ReturnType<typeof startShared>>();
  const server = createServer((request, response) => {
    text(request)
      .then((settings) => {
        const shared = systems.get(settings) ?? startShared(JSON.parse(settings) as Settings);
        systems.set(settings, shared);
        return shared.take();
      })
      .then((tenant) => response.end(JSON.stringify(tenant)))
      .catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    async stop() {
      server.close();
      await Promise.all([...systems.values()].map((shared) => shared.stop()));
    },
  };
}

function startShared(settings: Settings) {
  const dataDir = mkdtempSync(join(tmpdir(), 'eas-shared-'));
  const starting = startOwnSystem(process.env, {
    DATA_DIR: dataDir,
    BOOTSTRAP_RATE_LIMIT: '1000000',
    TENANT_RATE_LIMIT: '10000000',
    ...settings,
  });
  const tenants = createTenantStore(dataDir);
  return {
    take: async () => tenants.take(await starting),
    async stop() {
      await (await starting.catch(() => undefined))?.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function createTenantStore(dataDir: string) {
  let made = 0;
  let batch: Promise<SystemTenant[]> | undefined;

  async function make({ baseUrl }: OwnSystem): Promise<SystemTenant[]> {
    const slugs = Array.from({ length: madeTogether }, () => `suite-${(made += 1)}`);
    const keys = (await makeTenants(dataDir, slugs)).match(/eas_\w+/g) ?? [];
    if (keys.length < slugs.length) throw new Error(`${slugs.length} tenants got ${keys.length} keys`);
    return slugs.map((tenant, at) => ({ baseUrl, apiKey: keys[at] ?? '', tenant, dataDir }));
  }

  async function take(system: OwnSystem): Promise<SystemTenant> {
    const own = (batch ??= make(system));
    const tenant = (await own).pop();
    if (tenant) return tenant;
    // Another suite took the last one, and may have started the next batch.
    if (batch === own) batch = undefined;
    return take(system);
  }
  return { take };
}

async function makeTenants(dataDir: string, slugs: readonly string[]): Promise<string> {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], DATA_DIR: dataDir, ...compileCache };
  const { stdout } = await run(process.execPath, ['--disable-warning=ExperimentalWarning', maker, ...slugs], { env });
  return stdout;
}
const compileCache = { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] };

/** A new tenant of the system with these settings that the suites of this run share. */
export async function joinSharedSystem(settings: Settings = {}): Promise<JoinedSystem> {
  const broker = process.env[systemBrokerVariable];
  if (!broker) throw new Error('no shared system: run the suite through npm test');
  const response = await fetch(broker, { method: 'POST', body: JSON.stringify(settings) });
  if (!response.ok) throw new Error(`The shared system has no tenant for this suite: ${await response.text()}`);
  const tenant = (await response.json()) as SystemTenant;
  noteSecret('key of the tenant', tenant.apiKey);
  return { ...tenant, stop: async () => refuseSecretsIn(tenant.dataDir) };
}
