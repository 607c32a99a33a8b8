// The files that a container engine reads, as far as they can be checked without one.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { describe, expect, it } from '@jest/globals';
import { DCLinter } from 'dclint';
import { validate } from 'dockerfile-utils';
import { composePath, serviceOf, services } from './compose-file.ts';
import { appNames } from '../container/programs.ts';
import { dockerfilePath } from './build-image.ts';

const root = resolve(import.meta.dirname, '../..');

describe('the Dockerfile', () => {
  it('has no finding of its linter', () => {
    expect(validate(readFileSync(dockerfilePath, 'utf8'))).toEqual([]);
  });

  it('gives the apps the commit that it is built from, and so does everything that builds it', () => {
    const last = readFileSync(dockerfilePath, 'utf8')
      .split(/^FROM /m)
      .at(-1);
    expect(last).toMatch(/^ARG BUILD_COMMIT=unknown\nENV BUILD_COMMIT=\$BUILD_COMMIT$/m);
    const page = readFileSync(join(root, 'docs/operate/deploy.md'), 'utf8');
    const builds = [...page.matchAll(/^docker build .*$/gm)].map(([line]) => line);
    expect(builds).toEqual([expect.stringContaining('--build-arg BUILD_COMMIT="$(git rev-parse HEAD)"')]);
    expect(serviceOf('migrate').build?.args).toEqual({ BUILD_COMMIT: '${BUILD_COMMIT:-unknown}' });
  });
});

describe('the bill of materials', () => {
  const bill = execFileSync(process.execPath, [join(root, 'deploy/container/sbom.mjs')], { encoding: 'utf8' });

  it('is valid CycloneDX', async () => {
    const version = (JSON.parse(bill) as { specVersion: Spec.Version }).specVersion;
    expect(await new Validation.JsonValidator(version).validate(bill)).toBeNull();
  });

  it('lists what production installs, the base image, Node and what the dashboard is made of, and nothing else', () => {
    type Lock = {
      packages: Record<string, { dev?: true; devOptional?: true; optional?: true; link?: true; version: string }>;
    };
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;
    const wanted = Object.entries(packages)
      .filter(
        ([path, { dev, devOptional, optional, link }]) =>
          path.startsWith('node_modules/') && !dev && !devOptional && !optional && !link,
      )
      .map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`);
    const { components } = JSON.parse(bill) as { components: { 'bom-ref': string; name: string }[] };
    const listed = components.filter((component) => !component['bom-ref'].startsWith('@eas/'));
    const refs = listed.map((component) => component['bom-ref']);
    expect(refs).toEqual(expect.arrayContaining([...wanted, 'debian@trixie-slim', `nodejs@${process.versions.node}`]));
    expect(refs).toEqual(expect.arrayContaining([expect.stringMatching(/^express@5/)]));
    const others = listed.filter((component) => !wanted.includes(component['bom-ref'])).map(({ name }) => name);
    expect(others).toEqual(
      expect.arrayContaining(['react', 'react-dom', 'scheduler', '@tanstack/query-core', 'd3-scale']),
    );
    expect(others.filter((name) => /^(@types\/|vite$|typescript$|jest$|node$|@babel\/core$)/.test(name))).toEqual([]);
    expect(others.length).toBeLessThan(100);
  });
});

type Linted = { messages: { line: number; message: string }[] };

describe('docker-compose.yml', () => {
  it('follows the schema of Compose and the rules of its linter', () => {
    const linter = new DCLinter({
      rules: {
        // Services are in the order in which they start.
        'services-alphabetical-order': 0,
        'service-keys-order': 0,
        'service-dependencies-alphabetical-order': 0,
        'no-build-and-image': 0,
      },
      quiet: true,
      debug: false,
      exclude: [],
    });
    const results: Linted[] = linter.lintFiles([composePath], false);
    expect(results.flatMap(({ messages }) => messages.map(({ line, message }) => `${line}: ${message}`))).toEqual([]);
  });

  it('builds the image once, before the services that use it start', () => {
    const { image } = serviceOf('migrate');
    const users = Object.entries(services).filter(([, service]) => service.image === image);
    expect(users.map(([name]) => name)).toEqual(['migrate', 'seed', ...appNames]);
    const policies = users.map(([name, service]) => [name, service.build !== undefined, service.pull_policy]);
    const others = ['seed', ...appNames].map((name) => [name, false, 'never']);
    expect(policies).toEqual([['migrate', true, 'missing'], ...others]);
    expect(serviceOf('seed').depends_on).toEqual({ migrate: { condition: 'service_completed_successfully' } });
  });

  it.each(appNames)('starts %s once the database is migrated and seeded, and waits until it is ready', (app) => {
    const { command, depends_on: needs, healthcheck } = serviceOf(app);
    expect(command).toEqual([app]);
    expect(needs).toMatchObject({
      postgres: { condition: 'service_healthy' },
      redis: { condition: 'service_healthy' },
      seed: { condition: 'service_completed_successfully' },
    });
    expect(healthcheck).toBeDefined();
  });

  it.each([...appNames, 'migrate', 'seed'])('runs %s with a read-only root and without privileges', (name) => {
    expect(serviceOf(name)).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
  });

  it.each(appNames)('gives %s more time to stop than its drain takes', (app) => {
    const { stop_grace_period: grace = '', environment } = serviceOf(app);
    expect(parseInt(grace)).toBeGreaterThanOrEqual(Number(environment['SHUTDOWN_SECONDS']) + 5);
  });

  it('keeps queued jobs: Redis writes its log and evicts nothing', () => {
    expect(serviceOf('redis').command?.join(' ')).toMatch(/--appendonly yes .*--maxmemory-policy noeviction/);
  });

  it('asks for the password of Redis, which refuses what does not fit before the container has no memory left', () => {
    const { command = [], environment, mem_limit: limit } = serviceOf('redis');
    const password = '${REDIS_PASSWORD:-eas}';
    expect(command.slice(command.indexOf('--requirepass'))).toEqual(['--requirepass', password]);
    expect(environment['REDISCLI_AUTH']).toBe(password);
    expect(serviceOf('api-gateway').environment['REDIS_URL']).toBe(`redis://:${password}@redis:6379`);
    expect(parseInt(command[command.indexOf('--maxmemory') + 1] ?? '')).toBeLessThan(parseInt(limit ?? ''));
  });

  it.each(Object.keys(services))('limits the memory and the logs of %s', (name) => {
    expect(serviceOf(name)).toMatchObject({
      mem_limit: expect.stringMatching(/^\d+[mg]$/),
      logging: { driver: 'json-file', options: { 'max-size': '20m', 'max-file': '5' } },
    });
  });

  it('backs up every night with the pg_dump of the server', () => {
    const { image, volumes = [], environment } = serviceOf('backup');
    expect(image).toBe(serviceOf('postgres').image);
    expect(volumes).toEqual(['./deploy/container/nightly-backup.sh:/nightly-backup.sh:ro', 'backups:/backups']);
    expect(environment).toMatchObject({ PGHOST: 'postgres', PGDATABASE: 'eas' });
  });

  it('starts Prometheus and Grafana with the profile monitoring only', () => {
    const started = Object.entries(services).filter(([, { profiles }]) => profiles === undefined);
    expect(started.map(([name]) => name)).toEqual(['postgres', 'redis', 'backup', 'migrate', 'seed', ...appNames]);
    for (const name of ['prometheus', 'grafana']) expect(serviceOf(name).profiles).toEqual(['monitoring']);
  });
});

describe('docs/operate/deploy.md', () => {
  const page = readFileSync(join(root, 'docs/operate/deploy.md'), 'utf8');

  it('names settings that exist', () => {
    const settings = readFileSync(join(root, 'docs/settings.md'), 'utf8');
    const named = new Set([...page.matchAll(/`((?!NODE_)[A-Z]+(?:_[A-Z]+)*)`/g)].map(([, name = '']) => name));
    expect(named.size).toBeGreaterThan(10);
    expect([...named].filter((name) => !settings.includes(`\`${name}\``))).toEqual([]);
  });

  it('gives each app the health port that it has by default', () => {
    const settings = readFileSync(join(root, 'docs/settings.md'), 'utf8');
    for (const app of appNames) {
      const shown = new RegExp(`^\\| ${app} \\|.*\\| (\\d+) \\|[^|]*\\|$`, 'm').exec(page)?.[1];
      expect([app, settings]).toEqual([app, expect.stringMatching(`\`HEALTH_PORT\`.*\`${shown}\` +\\| ${app} `)]);
    }
  });
});
