import { describe, expect } from '@jest/globals';
import { makeAgent } from './agent.ts';
import { decideBy, inBrowser, type Json, sendHeld, useDashboard } from './dashboard.ts';

const dashboard = useDashboard();
const { narrowFindings, open, get, post } = dashboard;
const hostile = '<img src=x onerror="document.title=1"><script>alert(1)</script>';

const task = { title: `Do it ${hostile}`, description: 'Do it.' };

/** Two steps in sequence, the first one reviewed by a person, for an agent with a role of its own. */
async function makeRun(name: string, more: object = {}) {
  const agent = await makeAgent(dashboard);
  const workflow = await post('/v1/workflows', {
    name: `Workflow of ${agent.role}`,
    description: 'd',
    estimated_duration: '1 day',
    steps: [
      { id: 'build', name: `Build ${hostile}`, role: agent.role, approval: { person: true }, task, ...more },
      { id: 'ship', name: 'Ship', role: agent.role, needs: ['build'], task },
    ],
  });
  const run: Json = await post(`/v1/workflows/${workflow.id}/start`, { name });
  return { agent, workflow, runId: run.workflow_run_id as string };
}

describe('the runs', () => {
  inBrowser('are a list with filters in the address', async () => {
    const { workflow } = await makeRun('First run');
    await makeRun('Other run');
    const { page, close } = await open({ path: '/admin/runs' });
    await page.getByRole('link', { name: 'First run' }).waitFor();
    await page.getByLabel('Workflow', { exact: true }).selectOption(workflow.id);
    await page.getByRole('link', { name: 'Other run' }).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('link', { name: 'First run' }).waitFor();
    expect(await page.getByRole('link', { name: 'Other run' }).count()).toBe(0);
    await page.getByLabel('Status', { exact: true }).selectOption('failed');
    await page.getByText('No run fits these filters.').waitFor();
    await close();
  });

  inBrowser('show their graph with live states, and a step with its attempts and results', async () => {
    const { agent, runId } = await makeRun(hostile);
    const { page, close } = await open({ path: `/admin/runs/${runId}` });
    await page.getByRole('heading', { name: hostile, exact: true }).waitFor();
    const graph = page.getByRole('region', { name: 'Graph' });
    await graph.getByText('Ship').waitFor();
    await graph.getByText('Waits for an agent').waitFor();
    const { act } = await agent.take();
    await graph.getByText('In progress').waitFor();
    await act('complete', { result: { sha: 'abc' } });
    await graph.getByText('Waits for approval').waitFor();
    await decideBy(page, 'r');
    await page.keyboard.type('Tests are missing');
    await page.getByRole('button', { name: 'Reject' }).click();
    await sendHeld(page);
    await graph.getByText('Waits for an agent, attempt 2').waitFor();
    await graph.getByText(/^Build/).click();
    await page.waitForURL(/step=build/);
    const attempts = page.getByRole('list', { name: 'Attempts' });
    await attempts.getByText('Rejected').waitFor();
    await attempts.getByText('Tests are missing').waitFor();
    const again = await agent.take();
    await again.act('complete', { result: { sha: 'def' } });
    await page.getByText('"sha": "def"').first().waitFor();
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    await page.getByRole('heading', { name: 'Steps' }).click();
    await decideBy(page, 'a');
    await sendHeld(page);
    await page.getByRole('region', { name: 'Timeline' }).getByText('Approved').waitFor();
    await (await agent.take()).act('complete', {});
    await page.getByText('Completed').first().waitFor();
    await page.getByRole('region', { name: 'Steps' }).getByText('Completed').nth(1).waitFor();
    expect(await get(`/v1/runs/${runId}`)).toMatchObject({ status: 'completed' });
    expect(await page.evaluate(() => document.title)).toContain(hostile);
    await close();
  });

  inBrowser('keep their keys on the shown step when another person has decided about it', async () => {
    const [first, build, test] = [await makeAgent(dashboard), await makeAgent(dashboard), await makeAgent(dashboard)];
    const { id } = await post('/v1/workflows', {
      name: 'Two at once',
      description: 'd',
      estimated_duration: '1 day',
      steps: [
        { id: 'plan', name: 'Plan', role: first.role, task },
        { id: 'build', name: 'Build', role: build.role, needs: ['plan'], approval: { person: true }, task },
        { id: 'test', name: 'Test', role: test.role, needs: ['plan'], approval: { person: true }, task },
      ],
    });
    const run: Json = await post(`/v1/workflows/${id}/start`, { name: 'Two at once' });
    for (const agent of [first, build, test]) await (await agent.take()).act('complete', {});
    const { page, close } = await open({ path: `/admin/runs/${run.workflow_run_id}` });
    const approval = (name: string) => page.getByRole('region', { name: `Approval of ${name}` });
    await approval('Test').waitFor();
    await approval('Build').locator('[aria-keyshortcuts="a"]').waitFor();
    const [, step] = (await get(`/v1/runs/${run.workflow_run_id}`)).steps;
    await post(`/v1/runs/${run.workflow_run_id}/steps/${step.id}/approve`, {});
    await approval('Build').waitFor({ state: 'detached' });
    await page.keyboard.press('a');
    await approval('Test').getByLabel('Comment').focus();
    await approval('Test').locator('[aria-keyshortcuts="a"]').waitFor();
    const { steps } = await get(`/v1/runs/${run.workflow_run_id}`);
    expect(steps).toMatchObject([{}, { status: 'completed' }, { status: 'awaiting_approval' }]);
    await close();
  });

  inBrowser('are paused, resumed and, after asking, cancelled', async () => {
    const { runId } = await makeRun('Steered');
    const { page, close } = await open({ path: `/admin/runs/${runId}` });
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByRole('button', { name: 'Cancel the run' }).click();
    await page.getByText('Run cancelled').first().waitFor();
    expect(await get(`/v1/runs/${runId}`)).toMatchObject({ status: 'cancelled', paused_at: null });
    await close();
  });

  inBrowser('that failed go on from the steps that failed', async () => {
    const { agent, runId } = await makeRun('Failing', { retry: { max_attempts: 1 } });
    await (await agent.take()).act('fail', { reason: 'no compiler', retryable: false });
    const { page, close } = await open({ path: `/admin/runs/${runId}?step=build` });
    await page.getByText('no compiler').first().waitFor();
    await page.getByRole('button', { name: 'Retry the steps that failed' }).click();
    await page.getByRole('region', { name: 'Graph' }).getByText('Waits for an agent').waitFor();
    expect(await get(`/v1/runs/${runId}`)).toMatchObject({ status: 'started' });
    await close();
  });

  inBrowser('have their approvals in the inbox too, which continues the run', async () => {
    const { agent, runId } = await makeRun('From the inbox');
    const { task: held, act } = await agent.take();
    await act('complete', {});
    const { page, close } = await open({ path: `/admin/inbox?item=${held.id}` });
    await page.getByRole('link', { name: 'Run', exact: true }).waitFor();
    await page.locator('[aria-keyshortcuts="a"]').waitFor();
    await page.getByRole('button', { name: 'Approve' }).click();
    await sendHeld(page);
    await page.goto(`/admin/runs/${runId}`);
    await page.getByRole('region', { name: 'Graph' }).getByText('Completed').waitFor();
    await close();
  });

  inBrowser('pass axe, light and dark, and fit 360 pixels', async () => {
    const { agent, runId } = await makeRun(`${'long'.repeat(40)}`);
    await (await agent.take()).act('complete', { result: { text: 'word'.repeat(100) } });
    const paths = ['/admin/runs', `/admin/runs/${runId}?step=build`];
    const findings = await narrowFindings(paths, async (page, path) => {
      await page.getByText(/^long/).first().waitFor();
      if (path.includes('step')) {
        await page.locator('[data-steps="2"] .react-flow__node').nth(1).waitFor();
        await page.getByRole('list', { name: 'Attempts' }).waitFor();
      }
    });
    expect(findings).toEqual([]);
  });
});
