import { readFile } from 'node:fs/promises';
import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { makeAgent } from '../agent.ts';
import { axeFindings, inBrowser, type Json, until, useDashboard } from '../dashboard.ts';

const dashboard = useDashboard();
const { narrowFindings, open, get } = dashboard;
const hostile = '<img src=x onerror="document.title=1">';

/** A task that an agent works on, and a function that appends to its session. */
async function working() {
  const agent = await makeAgent(dashboard);
  let { task, act } = await agent.hold();
  let first = 1;
  return {
    task: task as Json,
    async append(...entries: object[]): Promise<void> {
      first = (await act('session/entries', { first, entries })).next;
    },
    /** The next attempt at the task. */
    async again(): Promise<void> {
      await act('fail', { reason: 'r', retry_after_seconds: 0 });
      ({ task, act } = await agent.take());
      first = 1;
    },
  };
}
const session = (page: Page) => page.getByRole('region', { name: 'Session' });
const say = (text: string, message_id = 'm1') => ({ kind: 'text', text, message_id });

describe('the session on the page of a task', () => {
  inBrowser('shows what the agent says and does, as it happens', async () => {
    const { task, append } = await working();
    const { page, close } = await open({ path: `/admin/tasks/${task.id}` });
    await page.getByRole('heading', { name: task.title, level: 1 }).waitFor();
    expect(await session(page).count()).toBe(0);
    await append(say('I run '));
    await page.getByText('I run', { exact: true }).waitFor();
    await append(
      say(`the tests. ${hostile}`),
      { kind: 'tool', id: 'c1', name: 'Bash', title: 'npm test', status: 'in_progress', output: '\u001b[32m line 1' },
      { kind: 'plan', steps: [{ text: 'Test', status: 'in_progress' }] },
      { kind: 'usage', tokens: 1_234, cost: { amount: 0.25, currency: 'USD' } },
    );
    await page.getByText(`I run the tests. ${hostile}`).waitFor();
    await page.getByText('line 1', { exact: true }).waitFor();
    await page.getByText('▸ Test').waitFor();
    await page.getByText('1,234 tokens, $0.25').waitFor();
    await append({ kind: 'tool', id: 'c1', status: 'completed', output: 'line 1\nline 2' });
    await page.getByText('completed', { exact: true }).waitFor();
    expect(await page.getByText('line 2').count()).toBe(0);
    await page.getByText('npm test').click();
    await page.getByText('line 2').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await close();
  });

  inBrowser('shows unknown values unchanged', async () => {
    const { task, append } = await working();
    await append(
      { kind: 'plan', steps: [{ text: 'Test', status: '__proto__' }] },
      { kind: 'tool', id: 'c1', title: 'npm test', status: 'constructor' },
      { kind: 'usage', tokens: 9_007_199_254_740_991, cost: { amount: 1_000_000_000, currency: 'QQQ' } },
    );
    const { page, close } = await open({ path: `/admin/tasks/${task.id}` });
    await page.getByText('○ Test').waitFor();
    await page.getByText('constructor', { exact: true }).waitFor();
    await page.getByText('9,007,199,254,740,991 tokens').waitFor();
    await close();
  });

  inBrowser('continues where it was after the page was offline', async () => {
    const { task, append } = await working();
    await append(say('before'));
    const { page, close } = await open({ path: `/admin/tasks/${task.id}` });
    await page.getByText('before', { exact: true }).waitFor();
    await page.context().setOffline(true);
    await append(say('meanwhile', 'm2'));
    await page.context().setOffline(false);
    await page.getByText('meanwhile', { exact: true }).waitFor();
    await append(say('after', 'm3'));
    await page.getByText('after', { exact: true }).waitFor();
    expect(await session(page).getByRole('listitem').count()).toBe(3);
    await close('net::ERR_INTERNET_DISCONNECTED');
  });

  inBrowser('has changes of files whose lines a person comments on: the agent gets it as a message', async () => {
    const { task, append } = await working();
    const diff = { path: 'src/login.ts', old_text: 'a\nb\n', new_text: 'a\nlimit = 3\n' };
    const more_diffs = [{ path: 'src/first.ts', old_text: '', new_text: 'c\n' }, diff];
    const first = { ...diff, path: 'src/other.ts' };
    await append({ kind: 'tool', id: 'c1', type: 'edit', title: 'Edit', status: 'completed', diff: first, more_diffs });
    const { page, close } = await open({ path: `/admin/tasks/${task.id}` });
    await page.getByRole('group', { name: 'Changes of src/other.ts' }).waitFor();
    await page.getByRole('group', { name: 'Changes of src/first.ts' }).waitFor();
    await page
      .getByRole('group', { name: 'Changes of src/login.ts' })
      .getByRole('button', { name: 'Comment on line 2', exact: true })
      .click();
    const field = page.getByLabel('Comment on line 2 of src/login.ts');
    await field.fill('Five, please.');
    expect(await axeFindings(page)).toEqual([]);
    await session(page).getByRole('button', { name: 'Message the agent' }).click();
    await field.waitFor({ state: 'detached' });
    const { data } = await get(`/v1/tasks/${task.id}/timeline?type=message`);
    expect(data.map(({ content }: Json) => content)).toEqual(['src/login.ts:2\n> limit = 3\n\nFive, please.']);
    await close();
  });

  inBrowser('is searched, downloaded, and shows attempts side by side', async () => {
    const { task, append, again } = await working();
    await append(say('first try', 'm1'), say('needle here', 'm2'));
    await again();
    await append(say('second try'));
    const { page, close } = await open({ path: `/admin/tasks/${task.id}` });
    await page.getByText('second try').waitFor();
    expect(await page.getByText('first try').count()).toBe(0);
    await page.getByLabel('Attempts').selectOption('all');
    await page.getByText('first try').waitFor();
    expect(
      await session(page)
        .getByRole('region', { name: /^Attempt [12] by/ })
        .count(),
    ).toBe(2);
    await page.getByLabel('Search the session').fill('NEEDLE');
    await page.getByText('Nothing here has this text.').waitFor();
    await until(async () => (await session(page).getByRole('listitem').count()) === 1);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      session(page).getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe(`session-${task.id}.jsonl`);
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).number)).toEqual([1, 2, 3]);
    await close();
  });

  inBrowser('begins with the newest entries of a long session, and shows earlier ones on request', async () => {
    const { task, append, again } = await working();
    await append(say('before'));
    await again();
    for (let part = 0; part < 8; part += 1)
      await append(
        ...Array.from({ length: 200 }, (_, n) => ({ kind: 'notice', text: `notice ${part * 200 + n + 1}` })),
      );
    const { page, close } = await open({ path: `/admin/tasks/${task.id}` });
    await page.getByText('notice 1600', { exact: true }).waitFor();
    await session(page)
      .getByRole('region', { name: /^Attempt 2 by/ })
      .waitFor();
    expect(await page.getByText('notice 600', { exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Show earlier entries' }).click();
    await page.getByText('notice 1', { exact: true }).waitFor();
    expect(await session(page).getByRole('listitem').count()).toBe(1_600);
    expect(await page.getByRole('button', { name: 'Show earlier entries' }).count()).toBe(0);
    await close();
  });
});

inBrowser('a page with a session of long words fits a narrow screen and passes axe', async () => {
  const { task, append } = await working();
  const long = 'long'.repeat(200);
  const diff = { path: long, old_text: `${long}\n`, new_text: `new ${long}\n` };
  await append(
    say(long),
    { kind: 'tool', id: 'c1', name: long.slice(0, 200), title: long, status: 'failed', output: long, diff },
    { kind: 'permission', tool: 'Bash', title: long, is_allowed: false },
    { kind: 'plan', steps: [{ text: long, status: 'pending' }] },
    { kind: 'stop', reason: 'end_turn' },
  );
  const findings = await narrowFindings([`/admin/tasks/${task.id}`], (page) =>
    page.getByText('The turn ended').waitFor(),
  );
  expect(findings).toEqual([]);
});
