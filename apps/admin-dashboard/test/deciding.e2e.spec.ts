import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { makeAgent } from './agent.ts';
import { axeFindings, decideBy, inBrowser, overflowOf, sendHeld, until, useDashboard } from './dashboard.ts';

const dashboard = useDashboard();
const { open, get, post } = dashboard;

const lines = (count: number, text: string) => Array.from({ length: count }, (_, at) => `${text} ${at}`).join('\n');

/** A task in review. */
async function makeReview(title: string, { description = 'Do it.', summary = 'All of it is done.' } = {}) {
  const agent = await makeAgent(dashboard);
  const { task, act } = await agent.hold({ title, description, contract: { review: { person: true } } });
  await act('complete', { summary });
  return { agent, id: task.id as string };
}

const statusOf = async (id: string): Promise<string> => (await get(`/v1/tasks/${id}`)).status;

/** The decisions that the page has sent. */
function recordDecisions(page: Page): string[] {
  const sent: string[] = [];
  page.on('request', (request) => void (/(approve|reject|answer)$/.test(request.url()) && sent.push(request.url())));
  return sent;
}

/** Whether all of an element is inside the window. */
const isOnScreen = (page: Page, text: string) =>
  page
    .getByText(text, { exact: true })
    .first()
    .evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    });

/** Clicks the same position twice before a person could have read anything, even on a slow machine. */
const pressTwice = (page: Page, wanted: string) =>
  page.evaluate((key) => {
    for (let times = 0; times < 2; times += 1)
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  }, wanted);

const barOf = (page: Page) => page.getByRole('button', { name: 'Approve' });
const heading = (page: Page, name: string) => page.getByRole('region', { name: 'Task' }).getByRole('link', { name });

describe('deciding', () => {
  inBrowser('needs the work on screen, and can be undone', async () => {
    const { id } = await makeReview('Long story', { description: lines(120, 'Requirement') });
    const { page, close } = await open({ path: '/admin/inbox' });
    const sent = recordDecisions(page);
    await heading(page, 'Long story').waitFor();
    expect(await isOnScreen(page, 'All of it is done.')).toBe(false);
    expect(await barOf(page).evaluate((button) => button.getBoundingClientRect().bottom <= innerHeight)).toBe(true);
    await pressTwice(page, 'a');
    await page.getByRole('status').getByText('Not decided: read this first, then decide again.').waitFor();
    expect(await isOnScreen(page, 'All of it is done.')).toBe(true);
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('What you decide about');
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);

    await decideBy(page, 'a');
    await page.getByText('Nothing waits for you').waitFor();
    await page.getByRole('dialog', { name: 'Approved: Long story' }).waitFor();
    expect(await page.getByRole('link', { name: 'Inbox' }).getByLabel('1 waiting').count()).toBe(0);
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('z');
    await heading(page, 'Long story').waitFor();
    await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });
    expect(sent).toEqual([]);
    expect(await statusOf(id)).toBe('in_review');

    await page.keyboard.press('a');
    await decideBy(page, 'a');
    await page.getByRole('button', { name: 'Undo' }).click();
    await heading(page, 'Long story').waitFor();
    expect(sent).toEqual([]);
    await post(`/v1/tasks/${id}/approve`, {});
    await close();
  });

  inBrowser('is sent once when its 10 seconds are over', async () => {
    const { id } = await makeReview('Short story');
    const { page, close } = await open({ path: '/admin/inbox', sendsDecisions: true });
    const sent = recordDecisions(page);
    await heading(page, 'Short story').waitFor();
    const decidedAt = Date.now();
    await decideBy(page, 'a');
    await until(() => sent.length > 0);
    expect(Date.now() - decidedAt).toBeGreaterThan(9_500);
    await until(async () => (await statusOf(id)) === 'completed');
    await page.getByRole('dialog', { name: 'Approved: Short story' }).waitFor({ state: 'detached' });
    await page.getByText('Nothing waits for you').waitFor();
    expect(sent).toHaveLength(1);
    await close();
  });

  inBrowser.each([1_280, 360])('needs both ends of work that is longer than the window of %i', async (width) => {
    const { id } = await makeReview('Long work', { summary: lines(120, 'Done') });
    const { page, close } = await open({ path: '/admin/inbox', width });
    const sent = recordDecisions(page);
    await heading(page, 'Long work').waitFor();
    await until(async () => {
      await barOf(page).click();
      return (await page.getByText('Read to the end, then decide again.').count()) > 0;
    });
    await page.getByText(/Done 119$/).waitFor();
    const lowerEdge = () => page.getByText(/Done 119$/).evaluate((element) => element.getBoundingClientRect().bottom);
    await until(async () => (await lowerEdge()) < ((await barOf(page).boundingBox())?.y ?? 0));
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    await page.locator('[aria-keyshortcuts="r"]').waitFor();
    await page.getByRole('button', { name: 'Reject' }).click();
    await sendHeld(page);
    expect(sent).toHaveLength(1);
    expect(await statusOf(id)).not.toBe('in_review');
    await close();
  });

  inBrowser('ignores a second click that was meant for the previous item', async () => {
    const [first, second] = [await makeReview('The first one'), await makeReview('The second one')];
    const { page, close } = await open({ path: '/admin/inbox' });
    await heading(page, 'The first one').waitFor();
    await page.locator('[aria-keyshortcuts="a"]').waitFor();
    await barOf(page).dblclick();
    await page.getByRole('dialog', { name: 'Approved: The first one' }).waitFor();
    await heading(page, 'The second one').waitFor();
    await sendHeld(page);
    expect(await Promise.all([first, second].map(({ id }) => statusOf(id)))).toEqual(['completed', 'in_review']);
    await decideBy(page, 'a');
    await sendHeld(page);
    await close();
  });

  inBrowser('is sent at once when the page is closed, left or hidden, and before the person signs out', async () => {
    const { page, close } = await open({});
    const decide = async (title: string, where = page) => {
      const { id } = await makeReview(title);
      await where.goto(`/admin/inbox?item=${id}`);
      await decideBy(where, 'a');
      await where.getByRole('button', { name: 'Undo' }).waitFor();
      return async () => (await statusOf(id)) === 'completed';
    };
    const tab = await page.context().newPage();
    const isClosedSent = await decide('Closed', tab);
    await tab.close({ runBeforeUnload: true });
    await until(isClosedSent);
    const isLeftSent = await decide('Left');
    await page.goto('about:blank');
    await until(isLeftSent);
    const isHiddenSent = await decide('Hidden');
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { value: true, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await until(isHiddenSent);
    const isSent = await decide('Signed out');
    // The session of the other tests is another one.
    await page.route('**/admin/api/session', (route) =>
      route.request().method() === 'DELETE' ? route.fulfill({ status: 204 }) : route.continue(),
    );
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(/sign-in/);
    expect(await isSent()).toBe(true);
    await close();
  });

  inBrowser(
    'is refused when the work changed in the meantime: it comes back as it is now, also before signing out',
    async () => {
      const { id, agent } = await makeReview('Done twice', { summary: 'The first work.' });
      const { page, close } = await open({ path: '/admin/inbox' });
      await page.getByText('The first work.').waitFor();
      await page.keyboard.press('c');
      await page.keyboard.type('Well done');
      await page.getByRole('heading', { name: 'Summary' }).click();
      await decideBy(page, 'a');
      await page.getByText('Nothing waits for you').waitFor();
      await post(`/v1/tasks/${id}/reject`, { comment: 'Again, please.' });
      await (await agent.take()).act('complete', { summary: 'The second work.' });
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByText('Not sent: Done twice').first().waitFor();
      await page.getByText('A decision was not accepted. Read why, then sign out again.').first().waitFor();
      await page.getByText('The second work.').waitFor();
      expect(await page.getByLabel('Comment').inputValue()).toBe('Well done');
      expect(await statusOf(id)).toBe('in_review');
      await decideBy(page, 'a');
      await sendHeld(page);
      expect(await statusOf(id)).toBe('completed');
      await close(409);
    },
  );

  inBrowser('about a step works the same on the page of its run and in the inbox', async () => {
    const agent = await makeAgent(dashboard);
    const task = { title: 'Build it', description: lines(10, 'Requirement') };
    const { id } = await post('/v1/workflows', {
      name: 'Approved',
      description: 'd',
      estimated_duration: '1 day',
      steps: [{ id: 'build', name: 'Build', role: agent.role, approval: { person: true }, task }],
    });
    const { workflow_run_id: runId } = await post(`/v1/workflows/${id}/start`, { name: 'A run' });
    const { act } = await agent.take();
    await act('complete', { summary: lines(80, 'Built') });
    const { page, close } = await open({ path: `/admin/runs/${runId}` });
    const sent = recordDecisions(page);
    await page.getByRole('heading', { name: 'Build waits for approval' }).waitFor();
    await until(async () => {
      await page.keyboard.press('a');
      return (await page.getByText('Read to the end, then decide again.').count()) > 0;
    });
    await decideBy(page, 'a');
    await page.getByText('You have decided.').waitFor();
    await page.getByRole('link', { name: 'Inbox' }).click();
    await page.getByText('Nothing waits for you').waitFor();
    expect(sent).toEqual([]);
    await page.goBack();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    await page.getByRole('link', { name: 'Inbox' }).click();
    await heading(page, 'Build it').waitFor();
    await until(async () => {
      await page.keyboard.press('a');
      return (await page.getByRole('button', { name: 'Send now' }).count()) > 0;
    });
    await sendHeld(page);
    await until(async () => (await get(`/v1/runs/${runId}`)).status === 'completed');
    await close();
  });

  inBrowser('keeps its bar on screen without covering the focus or the end, at 360 pixels too', async () => {
    const { act } = await (await makeAgent(dashboard)).hold({ description: lines(120, 'Requirement') });
    const options = Array.from({ length: 12 }, (_, at) => `Option ${at} ${'long '.repeat(20)}`);
    await act('inputs', { kind: 'choice', prompt: 'Which one?', options });
    await makeReview('After it', { description: Array.from({ length: 60 }, () => 'text').join('\n\n') });
    const { page, close } = await open({ path: '/admin/inbox', width: 360 });
    await page.getByRole('button', { name: /^Option 0/ }).waitFor();
    await page.locator('[aria-keyshortcuts="1"]').waitFor();
    const bar = page.getByRole('button', { name: /^Option 0/ });
    expect(await bar.evaluate((button) => button.getBoundingClientRect().top < innerHeight)).toBe(true);
    await page.keyboard.press('1');
    await heading(page, 'After it').waitFor();
    expect([...(await axeFindings(page)), ...(await overflowOf(page))]).toEqual([]);
    const toast = await page.getByRole('dialog', { name: /^Answered/ }).boundingBox();
    const approve = await barOf(page).boundingBox();
    expect((toast?.y ?? 0) + (toast?.height ?? 0)).toBeLessThanOrEqual(approve?.y ?? 0);
    await page.getByLabel('Comment').focus();
    const field = await page.getByLabel('Comment').boundingBox();
    expect((field?.y ?? 0) + (field?.height ?? 0)).toBeLessThanOrEqual(approve?.y ?? 0);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Approve');
    await close();
  });
});
