import { describe, expect } from '@jest/globals';
import { makeAgent } from './agent.ts';
import { axeFindings, decideBy, inBrowser, sendHeld, until, useDashboard } from './dashboard.ts';

const dashboard = useDashboard();
const { narrowFindings, open, get } = dashboard;
const hostile = '<img src=x onerror="document.title=1"><script>alert(1)</script> & "quotes"';

describe('the inbox', () => {
  inBrowser('explains itself while nothing waits', async () => {
    const { page, close } = await open({ path: '/admin/inbox' });
    await page.getByText('Nothing waits for you').waitFor();
    await close();
  });

  inBrowser('shows a question as it is asked, and the agent goes on with the answer', async () => {
    const { page, close } = await open({ path: '/admin/inbox' });
    await page.getByText('Nothing waits for you').waitFor();
    const agent = await makeAgent(dashboard);
    const { task, act } = await agent.hold({ title: hostile, description: hostile });
    const { input } = await act('inputs', { kind: 'question', prompt: hostile });
    await page.getByRole('heading', { name: hostile }).first().waitFor();
    await page.getByRole('link', { name: 'Inbox' }).getByLabel('1 waiting').waitFor();
    await page.keyboard.press('c');
    await page.keyboard.type('Take the second one.');
    await until(async () => {
      await page.keyboard.press('Control+Enter');
      await page.keyboard.press('c');
      return (await page.getByText('Nothing waits for you').count()) > 0;
    });
    await sendHeld(page);
    expect(await get(`/v1/inputs/${input.id}`)).toMatchObject({ status: 'answered', answer: 'Take the second one.' });
    const { directives } = await act('heartbeat');
    expect(directives).toMatchObject([{ answer: 'Take the second one.' }]);
    await act('complete');
    expect(await get(`/v1/tasks/${task.id}`)).toMatchObject({ status: 'completed' });
    await close();
  });

  inBrowser('does not show work that agents review', async () => {
    const [author, reviewer] = [await makeAgent(dashboard), await makeAgent(dashboard)];
    const left = await author.hold({ title: 'Reviewed by an agent', contract: { review: { role: reviewer.role } } });
    await left.act('complete', {});
    const own = await author.hold({ title: 'Reviewed by a person', contract: { review: { person: true } } });
    await own.act('complete', {});
    const { page, close } = await open({ path: '/admin/inbox' });
    const list = page.getByRole('list', { name: 'Waiting' });
    await list.getByText('Reviewed by a person').waitFor();
    expect(await list.getByText('Reviewed by an agent').count()).toBe(0);
    await decideBy(page, 'a');
    await page.getByText('Nothing waits for you').waitFor();
    await sendHeld(page);
    const review = await reviewer.take();
    await review.act('complete', { result: { decision: 'approve' } });
    expect(await get(`/v1/tasks/${left.task.id}`)).toMatchObject({ status: 'completed' });
    await close();
  });

  inBrowser('answers choices, approvals and reviews with one key each, oldest first', async () => {
    const agents = await Promise.all([1, 2, 3].map(() => makeAgent(dashboard)));
    const [chosen, approved, reviewed] = await Promise.all(
      agents.map((agent, at) =>
        agent.hold(at === 2 ? { contract: { artifacts: ['link'], review: { person: true } } } : {}),
      ),
    );
    if (!chosen || !approved || !reviewed) throw new Error('three tasks are held');
    const report = { kind: 'link', title: 'The report', url: 'https://example.com/report', sha: 'abc123' };
    await reviewed.act('artifacts', { ...report, data: { pages: 7, note: hostile } });
    await reviewed.act('complete', { result: { rows: 12 } });
    const choice = (await chosen.act('inputs', { kind: 'choice', prompt: 'How many?', options: ['5', '10'] })).input;
    const approval = (await approved.act('inputs', { kind: 'approval', prompt: 'Delete it?' })).input;
    const { page, close } = await open({ path: '/admin/inbox' });
    const list = page.getByRole('list', { name: 'Waiting' });
    await list.getByRole('button').nth(2).waitFor();
    await page.getByRole('link', { name: 'The report' }).waitFor();
    await page.getByText('"rows": 12').waitFor();
    await page.getByText('abc123').waitFor();
    await page.getByText('Data of The report').click();
    await page.getByText('"pages": 7').waitFor();
    const required = page.getByRole('region', { name: 'Completion requirements' });
    await required.getByText('link', { exact: true }).waitFor();
    await required.getByText('a person', { exact: true }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await decideBy(page, 'a');
    await page.getByRole('button', { name: '10', exact: true }).waitFor();
    await decideBy(page, '2');
    await page.getByRole('heading', { name: 'Delete it?' }).waitFor();
    await decideBy(page, 'r');
    await page.getByText('Nothing waits for you').waitFor();
    await sendHeld(page);
    expect(await get(`/v1/tasks/${reviewed.task.id}`)).toMatchObject({ status: 'completed' });
    expect(await get(`/v1/inputs/${choice.id}`)).toMatchObject({ answer: '10' });
    expect(await get(`/v1/inputs/${approval.id}`)).toMatchObject({ decision: 'reject' });
    await close();
  });

  inBrowser('shows the answer of another person next to what was typed', async () => {
    const { act } = await (await makeAgent(dashboard)).hold();
    const { input } = await act('inputs', { kind: 'question', prompt: 'Which colour?' });
    const { page, close } = await open({ path: `/admin/inbox?item=${input.id}` });
    await page.getByLabel('Answer').fill('Blue, as the sea');
    await dashboard.post(`/v1/inputs/${input.id}/answer`, { answer: 'Green' });
    await page.getByText('This is answered already.').waitFor();
    await page.getByText('Green', { exact: true }).waitFor();
    expect(await page.getByLabel('Answer').inputValue()).toBe('Blue, as the sea');
    await page.reload();
    expect(await page.getByLabel('Answer').inputValue()).toBe('Blue, as the sea');
    await close();
  });

  inBrowser('removes a question that was answered in another browser, even after the agent went on', async () => {
    const asking = { kind: 'choice', options: ['5', '10'], blocking: false };
    const [first, second] = await Promise.all([makeAgent(dashboard), makeAgent(dashboard)]);
    await (await first.hold()).act('inputs', { ...asking, prompt: 'How many at once?' });
    const { input: shown } = await (await second.hold()).act('inputs', { ...asking, prompt: 'How many a day?' });
    const here = await open({ path: `/admin/inbox?item=${shown.id}` });
    await here.page.getByRole('heading', { name: 'How many a day?' }).waitFor();
    await here.page.getByRole('button', { name: 'How many at once?' }).waitFor();
    const there = await open({ path: '/admin/inbox' });
    await there.page.getByRole('button', { name: 'How many at once?' }).click();
    await there.page.getByRole('heading', { name: 'How many at once?' }).waitFor();
    await decideBy(there.page, '1');
    await sendHeld(there.page);
    await here.page.getByRole('button', { name: 'How many at once?' }).waitFor({ state: 'detached' });
    await decideBy(here.page, '1');
    await sendHeld(here.page);
    await there.page.getByText('This is answered already.').waitFor();
    await there.page.getByRole('button', { name: 'How many a day?' }).waitFor({ state: 'detached' });
    await here.close();
    await there.close();
  });

  inBrowser('keeps the shown item when another person decides about it: the next key decides nothing', async () => {
    const [first, second] = await Promise.all([makeAgent(dashboard), makeAgent(dashboard)]);
    const asking = { kind: 'approval', blocking: false };
    const { input: shown } = await (await first.hold()).act('inputs', { ...asking, prompt: 'Delete the first?' });
    const { input: other } = await (await second.hold()).act('inputs', { ...asking, prompt: 'Delete the second?' });
    const { page, close } = await open({ path: '/admin/inbox' });
    await page.getByRole('button', { name: 'Delete the second?' }).waitFor();
    await page.getByRole('heading', { name: 'Delete the first?' }).waitFor();
    await page.locator('[aria-keyshortcuts="a"]').waitFor();
    await dashboard.post(`/v1/inputs/${shown.id}/answer`, { decision: 'reject' });
    await page.getByText('This is answered already.').waitFor();
    await page.getByRole('button', { name: 'Delete the first?' }).waitFor({ state: 'detached' });
    await page.keyboard.press('a');
    await page.keyboard.press('j');
    await page.keyboard.press('a');
    await page.getByRole('heading', { name: 'Delete the second?' }).waitFor();
    await page.locator('[aria-keyshortcuts="a"]').waitFor();
    expect(await get(`/v1/inputs/${other.id}`)).toMatchObject({ status: 'pending' });
    await decideBy(page, 'a');
    await page.getByText('Nothing waits for you').waitFor();
    await sendHeld(page);
    expect(await get(`/v1/inputs/${other.id}`)).toMatchObject({ decision: 'approve' });
    await close();
  });

  inBrowser('does not navigate away from the page that was opened while an answer was sent', async () => {
    const { act } = await (await makeAgent(dashboard)).hold();
    const { input } = await act('inputs', { kind: 'approval', prompt: 'Go on?' });
    const { page, close } = await open({ path: '/admin/inbox' });
    await page.getByRole('heading', { name: 'Go on?' }).waitFor();
    let release = () => {};
    const isReleased = new Promise<void>((done) => (release = done));
    await page.route('**/answer', async (route) => {
      await isReleased;
      await route.continue();
    });
    await decideBy(page, 'a');
    await page.getByRole('button', { name: 'Send now' }).click();
    await page.getByRole('link', { name: 'Tasks', exact: true }).click();
    await page.getByRole('heading', { name: 'Tasks', level: 1 }).waitFor();
    await page.getByText('Sending …').waitFor();
    release();
    await page.getByText('Sending …').waitFor({ state: 'detached' });
    expect(await get(`/v1/inputs/${input.id}`)).toMatchObject({ decision: 'approve' });
    await page.getByRole('heading', { name: 'Tasks', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/admin/tasks');
    await close();
  });

  inBrowser('receives a non-blocking question while it is open', async () => {
    const { act } = await (await makeAgent(dashboard)).hold();
    const { page, close } = await open({ path: '/admin/inbox' });
    await page.getByText('Nothing waits for you').waitFor();
    await act('inputs', { kind: 'approval', prompt: 'Use the new one?', blocking: false });
    await page.getByRole('heading', { name: 'Use the new one?' }).waitFor();
    await decideBy(page, 'a');
    await page.getByText('Nothing waits for you').waitFor();
    await sendHeld(page);
    await close();
  });

  inBrowser('lists workflow steps that a person decides about, and the run continues', async () => {
    const agent = await makeAgent(dashboard);
    const task = { title: 'Do it', description: 'Do it.' };
    const { id } = await dashboard.post('/v1/workflows', {
      name: 'Approved',
      description: 'd',
      estimated_duration: '1 day',
      steps: [
        { id: 'build', name: 'Build', role: agent.role, approval: { person: true }, task },
        { id: 'ship', name: 'Ship', role: agent.role, needs: ['build'], task: { ...task, title: 'Ship it' } },
      ],
    });
    const run = await dashboard.post(`/v1/workflows/${id}/start`, { name: 'A run' });
    const { page, close } = await open({ path: '/admin/inbox' });
    await page.getByText('Nothing waits for you').waitFor();
    const { act } = await agent.take();
    await act('artifacts', { kind: 'link', title: 'The build', url: 'https://example.com/build' });
    await act('complete', { summary: 'Built for two systems.', result: { sha: 'abc' } });
    await page.getByText('"sha": "abc"').waitFor();
    await page.getByText('Built for two systems.').waitFor();
    await page.getByRole('link', { name: 'The build' }).waitFor();
    await decideBy(page, 'a');
    await page.getByText('Nothing waits for you').waitFor();
    await sendHeld(page);
    const next = await agent.take();
    expect(next.task.title).toBe('Ship it');
    await next.act('complete');
    await page.goto(`/admin/runs/${run.workflow_run_id}`);
    await page.getByText('Completed').first().waitFor();
    await close();
  });

  inBrowser('passes axe, light and dark, and fits 360 pixels', async () => {
    const { act } = await (await makeAgent(dashboard)).hold({ title: `${'long'.repeat(60)} ${hostile}` });
    await act('inputs', { kind: 'choice', prompt: 'x'.repeat(400), options: ['y'.repeat(300), 'no'] });
    const findings = await narrowFindings(['/admin/inbox'], (page) =>
      page.getByRole('button', { name: 'no', exact: true }).waitFor(),
    );
    expect(findings).toEqual([]);
  });
});
