import { describe, expect } from '@jest/globals';
import { makeAgent } from './agent.ts';
import { axeFindings, decideBy, inBrowser, type Json, sendHeld, useDashboard } from './dashboard.ts';

const dashboard = useDashboard();
const { narrowFindings, open, get, patch, post } = dashboard;
const hostile = '<img src=x onerror="document.title=1"><script>alert(1)</script>';

const parameters = {
  goal: { type: 'string', required: true, description: hostile },
  count: { type: 'integer' },
  size: { type: 'string', enum: ['small', 'large'] },
  is_urgent: { type: 'boolean' },
  areas: { type: 'array' },
  options: { type: 'object' },
};

async function makeWorkflow(more: object = {}) {
  const agent = await makeAgent(dashboard);
  const task = { title: 'Do {{parameters.goal}}', description: hostile };
  const definition = {
    name: `Flow of ${agent.role}`,
    description: `What it is for ${hostile}`,
    estimated_duration: '1 day',
    parameters,
    steps: [
      { id: 'build', name: 'Build', role: agent.role, approval: { person: true }, task },
      { id: 'ship', name: 'Ship', role: agent.role, needs: ['build'], task },
    ],
    ...more,
  };
  const workflow: Json = await post('/v1/workflows', definition);
  return { agent, definition, workflow, path: `/admin/workflows/${workflow.id}` };
}

describe('the workflows', () => {
  inBrowser('are a list, and each a page with its graph, its parameters and runs of its versions', async () => {
    const { workflow } = await makeWorkflow();
    const { page, close } = await open({ path: '/admin/workflows' });
    await page.getByRole('link', { name: workflow.name }).click();
    await page.getByRole('heading', { name: workflow.name }).waitFor();
    await page.getByRole('region', { name: 'Graph' }).getByText('Ship').waitFor();
    await page.getByRole('region', { name: 'Steps' }).getByText('After Build').waitFor();
    await page.getByText(hostile, { exact: true }).first().waitFor();
    await page.getByRole('link', { name: 'Of version 1' }).click();
    await page.getByText('No run fits these filters.').waitFor();
    expect(page.url()).toMatch(/workflow_version=1/);
    await close();
  });

  inBrowser('are archived: the list leaves them out, no run can be started, and it is taken back', async () => {
    const { workflow, path } = await makeWorkflow();
    const { page, close } = await open({ path });
    await page.getByRole('button', { name: 'Archive', exact: true }).click();
    await page.getByText('No run can start.').waitFor();
    expect(await page.getByRole('link', { name: 'Start a run' }).count()).toBe(0);
    expect((await get(`/v1/workflows/${workflow.id}`)).archived_at).not.toBeNull();
    expect(await axeFindings(page)).toEqual([]);
    await page.goto(`${new URL(page.url()).origin}${path}/start`);
    await page.getByText('This workflow is archived').waitFor();
    expect(await page.getByRole('button', { name: 'Start the run' }).count()).toBe(0);
    await page.goto(`${new URL(page.url()).origin}/admin/workflows`);
    await page.getByRole('group', { name: 'Filters' }).waitFor();
    expect(await page.getByRole('link', { name: workflow.name }).count()).toBe(0);
    await page.getByLabel('State').selectOption('Archived');
    await page.reload();
    await page.getByRole('link', { name: workflow.name }).click();
    await page.getByRole('button', { name: 'Unarchive' }).click();
    await page.getByRole('link', { name: 'Start a run' }).waitFor();
    await close();
  });

  inBrowser('are started by a form of their parameters, and the run is approved to its end', async () => {
    const { agent, path } = await makeWorkflow();
    const { page, close } = await open({ path });
    await page.getByRole('link', { name: 'Start a run' }).click();
    await page.getByLabel('Name of the run').fill('By form');
    await page.getByLabel('count').fill('many');
    await page.getByRole('button', { name: 'Start the run' }).click();
    await page.getByText('Enter a number.').waitFor();
    await page.getByLabel('count').fill('1.5');
    await page.getByRole('button', { name: 'Start the run' }).click();
    await page.locator('[aria-invalid=true][name="parameters.goal"]').waitFor();
    await page.locator('[aria-invalid=true][name="parameters.count"]').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.reload();
    expect(await page.getByLabel('Name of the run').inputValue()).toBe('By form');
    await page.getByLabel('goal').fill('the thing');
    await page.getByLabel('count').fill('3');
    await page.getByLabel('size').selectOption('large');
    await page.getByLabel('is_urgent').selectOption('true');
    await page.getByLabel('areas').fill('web\nservice');
    await page.getByLabel('options').fill('{"deep": {"er": 1}}');
    await page.getByLabel('More parameters').fill('{"ticket_id": "T-1"}');
    await page.getByRole('button', { name: 'Start the run' }).click();
    await page.getByRole('heading', { name: 'By form' }).waitFor();
    const runId = new URL(page.url()).pathname.split('/').at(-1);
    expect(await get(`/v1/runs/${runId}`)).toMatchObject({
      name: 'By form',
      parameters: {
        goal: 'the thing',
        count: 3,
        size: 'large',
        is_urgent: true,
        areas: ['web', 'service'],
        options: { deep: { er: 1 } },
        ticket_id: 'T-1',
      },
    });
    await (await agent.take()).act('complete', {});
    await decideBy(page, 'a');
    await sendHeld(page);
    await (await agent.take()).act('complete', {});
    await page.getByRole('region', { name: 'Steps' }).getByText('Completed').nth(1).waitFor();
    expect(await get(`/v1/runs/${runId}`)).toMatchObject({ status: 'completed' });
    await close(400);
  });

  inBrowser('are written as text with the graph next to it, and errors of the API with their position', async () => {
    const { page, close } = await open({ path: '/admin/workflows' });
    await page.getByRole('link', { name: 'New workflow' }).click();
    const text = page.getByLabel('Definition');
    const begun = JSON.parse(await text.inputValue());
    await page.getByRole('region', { name: 'Graph' }).getByText('Check it').waitFor();
    await text.fill('{"name"');
    await page.getByText('This is not JSON yet').waitFor();
    expect(await page.getByRole('button', { name: 'Create the workflow' }).isDisabled()).toBe(true);
    begun.name = `Written ${hostile}`;
    begun.steps[1].needs = ['gone'];
    await text.fill(JSON.stringify(begun, null, 2));
    await page.reload();
    expect(await text.inputValue()).toContain('"gone"');
    await page.getByRole('button', { name: 'steps.1.needs.0' }).waitFor();
    begun.steps[1].needs = ['build'];
    await text.fill(JSON.stringify(begun, null, 2));
    await page.getByText('The API finds nothing wrong').waitFor();
    begun.steps[1].needs = ['gone'];
    await text.fill(JSON.stringify(begun, null, 2));
    await page.getByRole('button', { name: 'Create the workflow' }).click();
    await page.getByRole('button', { name: 'steps.1.needs.0' }).click();
    expect(await page.evaluate(() => getSelection()?.toString())).toContain('"gone"');
    expect(await axeFindings(page)).toEqual([]);
    begun.steps[1].needs = ['build'];
    await text.fill(JSON.stringify(begun, null, 2));
    await page.keyboard.press('Control+s');
    await page.getByRole('heading', { name: begun.name, exact: true }).waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1);
    expect(await get(`/v1/workflows/${id}`)).toMatchObject({ name: begun.name, steps: 2, version: 1 });
    await close(400);
  });

  inBrowser('get a further version, and show what somebody else saved meanwhile beside the text', async () => {
    const { workflow, path, definition } = await makeWorkflow();
    const { page, close } = await open({ path });
    await page.getByRole('link', { name: 'Edit' }).click();
    const text = page.getByLabel('Definition');
    const mine = JSON.parse(await text.inputValue());
    delete mine.parameters.count;
    mine.steps[1].name = 'Ship it now';
    await text.fill(JSON.stringify(mine, null, 2));
    await page.getByRole('region', { name: 'Graph' }).getByText('Ship it now').waitFor();
    await patch(`/v1/workflows/${workflow.id}`, { description: 'Theirs' });
    await page.getByRole('button', { name: 'Save as version 2' }).click();
    await page.getByText('Somebody saved version 2 meanwhile.').waitFor();
    expect(await text.inputValue()).toContain('Ship it now');
    await page.getByText('Show version 2').click();
    await page.getByText('"Theirs"').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Keep my text' }).click();
    await page.getByRole('button', { name: 'Save as version 3' }).click();
    await page.getByRole('heading', { name: workflow.name, exact: true }).waitFor();
    await page.getByRole('region', { name: 'Graph' }).getByText('Ship it now').waitFor();
    const saved = await get(`/v1/workflows/${workflow.id}`);
    expect(saved).toMatchObject({ version: 3, description: definition.description });
    expect(Object.keys(saved.definition.parameters)).not.toContain('count');
    await close(412);
  });

  inBrowser('have nothing that axe finds, light and dark, and fit 360 pixels', async () => {
    const { path } = await makeWorkflow({ name: 'long'.repeat(40) });
    const paths = ['/admin/workflows', path, `${path}/start`, `${path}/edit`];
    const findings = await narrowFindings(paths, async (page, one) => {
      await page.getByText(/long/).first().waitFor();
      if (one === path || one.endsWith('edit'))
        await page.locator('[data-steps="2"] .react-flow__node').nth(1).waitFor();
    });
    expect(findings).toEqual([]);
  });
});
