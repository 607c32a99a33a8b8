import { useTestDatabase } from '@eas/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { inboundScene } from './inbound-scene.ts';
import { pullRequestBody } from '@eas/source-host/bodies';
import { sourceHostScene } from './source-host-scene.ts';
import { sweepOldPullRequests, sweepOldStages } from '@eas/source-host';
import { sweepOldReconciles } from '@eas/task-platform';

const test = useTestDatabase();
let scene: ReturnType<typeof inboundScene>;
beforeAll(() => void (scene = inboundScene(test)));

describe('old rows of integrations', () => {
  it('are removed: stages of pull requests by their date, the pull request stays', async () => {
    const host = await sourceHostScene(test, scene);
    await host.play([
      ['pull_request', pullRequestBody('opened', 1)],
      ['pull_request', pullRequestBody('closed', 2, { merged: true })],
    ]);
    await host.query(
      `UPDATE pull_request_stages SET at = app_now() - interval '91 days' WHERE tenant_id = $1 AND stage = $2`,
      'opened',
    );
    await sweepOldStages(test.database.db, 90);
    expect(await host.query('SELECT stage FROM pull_request_stages WHERE tenant_id = $1')).toEqual([
      { stage: 'merged' },
    ]);
    expect(await host.pullRequests()).toMatchObject([{ state: 'merged' }]);
  });

  it('are removed: pull requests without a task, once they have no stages; the next event makes them known again', async () => {
    const host = await sourceHostScene(test, scene);
    const taskId = await host.newTask();
    const opened = (number: number, body = '') => pullRequestBody('opened', 1, { number, body });
    await host.play([1, 2, 3, 4].map((number) => ['pull_request', opened(number, number === 1 ? taskId : '')]));
    const pass = (days: number, numbers: number[]) =>
      Promise.all([
        host.query(
          `UPDATE pull_request_stages SET at = app_now() - $3 * interval '1 day' WHERE tenant_id = $1 AND number = ANY ($2)`,
          numbers,
          days,
        ),
        host.query(
          `UPDATE pull_requests SET created_at = app_now() - $3 * interval '1 day' WHERE tenant_id = $1 AND number = ANY ($2)`,
          numbers,
          days,
        ),
      ]);
    await pass(91, [1, 2, 3]);
    await host.play([['pull_request', pullRequestBody('closed', 5, { number: 3 })]]);
    await host.query(`UPDATE pull_request_stages SET at = app_now() WHERE tenant_id = $1 AND stage = 'closed'`);
    await sweepOldStages(test.database.db, 90);
    await sweepOldPullRequests(test.database.db, 90);
    expect((await host.pullRequests()).map(({ number }) => number)).toEqual([1, 3, 4]);
    await host.play([['pull_request', pullRequestBody('edited', 9, { number: 2, body: taskId })]]);
    expect(await host.pullRequests()).toMatchObject([
      { number: 1 },
      { number: 2, taskId },
      { number: 3 },
      { number: 4 },
    ]);
  });

  it('are removed: reconciliations that ended 90 days ago, never one that is running', async () => {
    const tenantId = await test.createTenant();
    const { id } = (await scene.connect(tenantId, { type: 'taskplatform', secret: 'a secret of this platform' }))
      .integration;
    const sql = `
      INSERT INTO platform_reconciles (tenant_id, id, integration_id, status, since, created_by, created_at, updated_at, finished_at)
      SELECT $1, name, $2, status, now(), 'usr_1', now(), now(), finished FROM (VALUES
        ('old', 'completed', now() - interval '91 days'), ('new', 'failed', now() - interval '89 days'),
        ('now', 'running', NULL)) AS v (name, status, finished)`;
    await test.database.db.query(sql, [tenantId, id]);
    await sweepOldReconciles(test.database.db);
    const kept = 'SELECT id FROM platform_reconciles WHERE tenant_id = $1 ORDER BY id';
    expect(await test.database.db.query(kept, [tenantId])).toEqual([{ id: 'new' }, { id: 'now' }]);
  });
});
