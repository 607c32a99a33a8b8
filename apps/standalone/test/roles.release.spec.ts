import { randomBytes } from 'node:crypto';
import { eventually, startWebhookSink, useTestDatabase, type WebhookSink } from '@eas/testing';
import { ownRedisDatabase, queueBackEnd } from '@eas/testing/queue-back-end';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runFromTerminal } from '../src/commands/command.fixture.ts';
import { createPatientClient, type PatientClient } from './patient-client.ts';
import { startSystem, type System } from './system.ts';
import { createAgents, work } from './wreckage.ts';

const test = useTestDatabase();
const role = `eas_app_${randomBytes(4).toString('hex')}`;
const encryptionKeys = [randomBytes(32).toString('base64')];
const query = (sql: string) => test.database.db.query<Record<string, unknown>>(sql, [], { isPrepared: false });
const appUrl = () => {
  const url = new URL(test.url);
  Object.assign(url, { username: role, password: 'of the apps' });
  return url.toString();
};
const run = (...line: string[]) =>
  runFromTerminal(line, { databaseUrl: appUrl(), migrateDatabaseUrl: test.url, encryptionKeys });

describe(`a system whose apps may not change tables, with queues on ${queueBackEnd.kind}`, () => {
  let sink: WebhookSink;
  let system: System | undefined;
  let client: PatientClient;
  beforeAll(async () => void (sink = await startWebhookSink()));
  afterAll(async () => {
    await system?.stop();
    await sink.close();
    await query(`DROP OWNED BY "${role}"`);
    await query(`DROP ROLE "${role}"`);
  });

  it('is set up by two addresses and one command, which may be repeated', async () => {
    expect((await run('db:migrate')).out).toContain(`the role ${role} of DATABASE_URL is not there yet: run db:roles`);
    expect(await run('db:roles')).toEqual({ code: 0, out: `made ${role}\n`, err: '' });
    expect(await run('db:roles')).toEqual({ code: 0, out: `granted ${role}\n`, err: '' });
    const { out } = await run('db:roles', '--sql');
    expect(out).toContain(`CREATE ROLE "${role}" LOGIN PASSWORD '…';`);
    expect(out).not.toContain('of the apps');
    await run('db:migrate');
  });

  it('works: tasks are done, webhooks delivered, months made', async () => {
    await query(`DROP TABLE ${await lastMonth()}`);
    system = await startSystem({
      DATABASE_URL: appUrl(),
      MIGRATE_DATABASE_URL: test.url,
      REDIS_URL: ownRedisDatabase(12),
      ENCRYPTION_KEY: encryptionKeys.join(','),
    });
    client = createPatientClient({ baseUrls: [system.baseUrl], apiKey: system.apiKey });
    await client.post('/v1/webhooks', { url: `${sink.url}/hook`, events: ['*'], secret: 'a secret of some length' });
    for (let n = 0; n < 20; n += 1)
      expect((await client.post('/v1/tasks', { title: `${n}`, description: 'd', assigned_role: 'crash' })).status).toBe(
        201,
      );
    let isOver = false;
    const agents = await createAgents(client, 'crash', 2);
    const working = agents.map((id) => work(client, id, () => isOver));
    const isDone = async () => (await query(`SELECT 1 FROM tasks WHERE status = 'completed'`)).length === 20;
    await eventually(isDone);
    isOver = true;
    await Promise.all(working);
    await eventually(async () => (await query('SELECT 1 FROM outbox')).length === 0);
    await sink.waitFor(({ body }) => body.toString().includes('"task.completed"'));
    await sink.received(60);
    expect(await query(`SELECT to_regclass('${await lastMonth()}') IS NOT NULL AS made`)).toEqual([{ made: true }]);
    const owners = await query(
      `SELECT count(*)::int AS n FROM pg_class WHERE relowner = '${role}'::regrole AND relpersistence <> 't'`,
    );
    expect(owners).toEqual([{ n: 0 }]);
  });

  it('is operated by the same commands', async () => {
    const id = (await run('tenant:create', 'short-lived')).out;
    expect(id).toMatch(/^tenant tnt_/);
    expect((await run('key:create', 'k', '--tenant', 'short-lived')).out).toMatch(/^api key /);
    expect((await run('reseal')).code).toBe(0);
    expect((await run('tenant:delete', 'short-lived', '--yes')).out).toMatch(/^deleted tenant/);
    const findings = JSON.parse((await run('doctor', '--json')).out) as { check: string }[];
    expect(findings.map(({ check }) => check)).not.toContain('database role');
  });

  it('says in one line what is missing or wrong of the two addresses', async () => {
    const only = await runFromTerminal(['db:roles'], { databaseUrl: appUrl(), encryptionKeys });
    expect(only.err).toBe(
      'Set MIGRATE_DATABASE_URL to the role that owns the tables, and DATABASE_URL to that of the apps.\n',
    );
    const same = { databaseUrl: test.url, migrateDatabaseUrl: test.url, encryptionKeys };
    expect((await runFromTerminal(['db:roles'], same)).err).toMatch(/both name the role/);
    const asApp = { databaseUrl: appUrl(), encryptionKeys };
    await query(
      `DELETE FROM _prisma_migrations WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations)`,
    );
    const { code, err } = await runFromTerminal(['db:migrate'], asApp);
    expect([code, err]).toEqual([1, expect.stringContaining('MIGRATE_DATABASE_URL')]);
  });
});

/** A table of the month that the orchestrator has to make ahead. */
async function lastMonth(): Promise<string> {
  const [row] = await query(
    `SELECT to_char(date_trunc('month', now()) + interval '2 months', '"attempts_"YYYY_MM') AS name`,
  );
  return String(row?.['name']);
}
