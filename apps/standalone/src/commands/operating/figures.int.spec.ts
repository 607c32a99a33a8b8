import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import type { UseCaseContext } from '@eas/db';
import { nodeFlags } from '@eas/runtime';
import { useTestDatabase } from '@eas/testing';
import { eventually } from '@eas/testing/eventually';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { runFromTerminal } from '../command.fixture.ts';

const test = useTestDatabase();
const key = randomBytes(32).toString('base64');
const run = (...line: string[]) => runFromTerminal(line, { databaseUrl: test.url, encryptionKeys: [key] });

let ctx: UseCaseContext;
let slug = '';
beforeEach(async () => {
  const tenantId = await test.createTenant();
  ctx = test.context({ tenantId });
  slug = tenantId.slice(-12);
});

const addTasks = (count: number) =>
  ctx.db.query(
    `INSERT INTO tasks (tenant_id, id, title, description, assigned_role, created_at, updated_at, rank)
     SELECT $1, 'tsk_' || lpad(n::text, 4, '0'), 't', 'd', 'rd', now(), now(), now() FROM generate_series(1, $2) AS n`,
    [ctx.tenantId, count],
  );

/** Of its daily figures and of its facts. */
async function countedTasks(): Promise<(number | undefined)[]> {
  const rows = await ctx.db.query<{ total: number }>(
    `SELECT sum(total)::int AS total FROM analytics_daily_rollups WHERE tenant_id = $1
     UNION ALL SELECT count(*)::int FROM analytics_task_facts WHERE tenant_id = $1`,
    [ctx.tenantId],
  );
  return rows.map(({ total }) => total);
}

describe('figures:rebuild', () => {
  it('fills the facts and figures of a tenant from its tasks, and says what it corrected', async () => {
    await addTasks(5);
    await ctx.db.query(
      `INSERT INTO analytics_daily_rollups (tenant_id, day, role, total) VALUES ($1, '2026-01-01', 'rd', 7)`,
      [ctx.tenantId],
    );
    const { code, out } = await run('figures:rebuild', '--tenant', slug);
    expect([code, out]).toEqual([0, '5 tasks read, 5 facts and 1 daily figures corrected\n']);
    expect(await countedTasks()).toEqual([5, 5]);
    expect((await run('figures:rebuild', '--all')).out).toMatch(/0 facts and 0 daily figures corrected/);
  });

  it('that was killed in the middle goes on after the last tasks that it corrected', async () => {
    await addTasks(500);
    const command = join(import.meta.dirname, '../cmd.ts');
    const child = spawn(
      process.execPath,
      [...nodeFlags, command, 'figures:rebuild', '--tenant', slug, '--max-per-second', '100'],
      { stdio: 'ignore', env: { ...process.env, DATABASE_URL: test.url, ENCRYPTION_KEY: key } },
    );
    const ended = once(child, 'exit');
    await eventually(async () => {
      const sql = `SELECT 1 FROM analytics_recounts WHERE tenant_id = $1 AND position <> ''`;
      return (await ctx.db.query(sql, [ctx.tenantId])).length > 0;
    });
    child.kill('SIGKILL');
    expect(await ended).toEqual([null, 'SIGKILL']);

    const { code, out } = await run('figures:rebuild', '--tenant', slug);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^[1-4]00 tasks read, [1-4]00 facts and 0 daily figures corrected\n$/),
    ]);
    expect(await countedTasks()).toEqual([500, 500]);
  });

  it('ends a rebuild that was started, with --cancel', async () => {
    await ctx.db.query('INSERT INTO analytics_recounts (tenant_id, corrects) VALUES ($1, true)', [ctx.tenantId]);
    const lines = [
      await run('figures:rebuild', '--all', '--cancel'),
      await run('figures:rebuild', '--all', '--cancel'),
    ];
    expect(lines.map(({ out }) => out)).toEqual(['1 rebuilds ended\n', '0 rebuilds ended\n']);
  });
});
