// Stores with a certificate of an authority of one's own: Node reads it from a file, and every connection uses it.
import { randomBytes, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, useTestDatabase } from '@eas/testing';
import { findOnPath, leftOut } from '@eas/testing/programs';
import { findFreePort, type RedisServer, startRedisServer } from '@eas/testing/redis-server';
import { type Env, launchApp, type LaunchedApp, responds } from './launch-app.ts';
import { createAuthority, type OwnAuthority, startTlsFront, type TlsFront } from './tls-front.ts';

const test = useTestDatabase();
const redisServer = findOnPath('redis-server');
const notRun = leftOut('redis-server', redisServer !== undefined);
const encryptionKey = randomBytes(32).toString('base64');
const folder = mkdtempSync(join(tmpdir(), 'eas-ca-'));

let authority: OwnAuthority;
let redis: RedisServer;
let fronts: { postgres: TlsFront; redis: TlsFront };
let app: LaunchedApp | undefined;

beforeAll(async () => {
  if (notRun) return;
  authority = createAuthority(folder);
  redis = await startRedisServer(redisServer ?? 'redis-server');
  fronts = {
    postgres: await startTlsFront(new URL(test.url), authority, 'postgres'),
    redis: await startTlsFront(new URL(redis.url), authority, 'redis'),
  };
});
afterEach(async () => {
  app?.child.kill('SIGKILL');
  await app?.closed;
});
afterAll(async () => {
  await Promise.all([fronts?.postgres.close(), fronts?.redis.close()]);
  await redis?.stop();
  rmSync(folder, { recursive: true });
});

const databaseUrl = (): string => {
  const url = new URL(test.url);
  url.host = `localhost:${fronts.postgres.port}`;
  url.searchParams.set('sslmode', 'verify-full');
  return url.href;
};

async function launch(
  changes: Env,
  name = 'analytics-aggregator',
): Promise<{ launched: LaunchedApp; healthPort: string }> {
  const healthPort = String(await findFreePort());
  app = launchApp(name, {
    PATH: process.env['PATH'],
    DATABASE_URL: databaseUrl(),
    REDIS_URL: `rediss://localhost:${fronts.redis.port}`,
    ENCRYPTION_KEY: encryptionKey,
    HEALTH_PORT: healthPort,
    LOG_LEVEL: 'warn',
    ...changes,
  });
  return { launched: app, healthPort };
}

(notRun ? describe.skip : describe)(
  `a worker whose Postgres and Redis have certificates of a private authority${notRun}`,
  () => {
    it('becomes ready with the certificate of the authority in NODE_EXTRA_CA_CERTS', async () => {
      const { launched, healthPort } = await launch({ NODE_EXTRA_CA_CERTS: authority.file });
      await eventually(async () => {
        if (launched.child.exitCode !== null) throw new Error(launched.output());
        return responds(healthPort, '/readyz')();
      });
    });

    it('exports when the certificates of both end, and began', async () => {
      const own = { NODE_EXTRA_CA_CERTS: authority.file };
      const { launched, healthPort } = await launch(own, 'workflow-orchestrator');
      await eventually(async () => {
        if (launched.child.exitCode !== null) throw new Error(launched.output());
        return responds(healthPort, '/readyz')();
      });
      const { validFromDate, validToDate } = new X509Certificate(readFileSync(authority.file));
      const ends = Object.entries({ not_before: validFromDate, not_after: validToDate });
      const expected = ends.flatMap(([end, date]) =>
        ['postgres', 'redis'].map(
          (store) => `eas_certificate_${end}_timestamp_seconds{store="${store}"} ${date.getTime() / 1_000}\n`,
        ),
      );
      // On a busy machine the first scrape may not wait for the connections.
      await eventually(async () => {
        const text = await (await fetch(`http://127.0.0.1:${healthPort}/metrics`)).text();
        return expected.every((line) => text.includes(line));
      });
    });

    it('exports no certificate of a store without TLS', async () => {
      const plain = { DATABASE_URL: test.url, REDIS_URL: redis.url };
      const { launched, healthPort } = await launch(plain, 'workflow-orchestrator');
      await eventually(async () => {
        if (launched.child.exitCode !== null) throw new Error(launched.output());
        return responds(healthPort, '/readyz')();
      });
      const text = await (await fetch(`http://127.0.0.1:${healthPort}/metrics`)).text();
      expect(text).toContain('# TYPE eas_certificate_not_after_timestamp_seconds gauge');
      expect(text).not.toContain('eas_certificate_not_after_timestamp_seconds{');
    });

    it.each([
      ['Postgres', () => ({}), /Postgres at \S+ \(DATABASE_URL\) cannot be used: self-signed certificate/],
      ['Redis', () => ({ DATABASE_URL: test.url }), /Redis at \S+ \(REDIS_URL\) cannot be used: /],
    ])('does not start without it, and names %s', async (_store, changes, line) => {
      const { launched } = await launch(changes());
      expect(await launched.closed).toEqual([1, null]);
      expect(launched.output()).toMatch(line);
    });
  },
);
