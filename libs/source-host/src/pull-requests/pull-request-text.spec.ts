import type { PushedWork } from '@eas/tasks';
import { describe, expect, it } from '@jest/globals';
import { readNamedTasks } from './named-tasks.ts';
import { changesOf, pullRequestText, pullRequestTitle } from './pull-request-text.ts';

const taskId = 'tsk_01ks0000000000000000000000';
const work: PushedWork = {
  taskId,
  title: 'Limit failed logins',
  summary: 'Five a minute, then 429.',
  repository: { host: 'github.com', name: 'acme/web' },
  baseBranch: 'main',
  branch: `task/${taskId}`,
  sha: 'abc',
  checks: [
    { name: 'tests', isPassed: true },
    { name: 'lint', isPassed: false },
  ],
  change: { files: 3, insertions: 40, deletions: 2 },
};
const text = pullRequestText(work);
const wanted = { title: work.title, text };

describe('the description of a pull request', () => {
  it('has the summary, the checks and the size of the change, and names the task', () => {
    expect(text).toContain('```text\nFive a minute, then 429.\n```');
    expect(text).toContain('Checks:\n\n```text\npassed  tests\nfailed  lint\n```');
    expect(text).toContain('3 files changed, +40 -2');
    expect(readNamedTasks('acme/web', { branch: 'x', title: 'x', description: text }).ids).toEqual([taskId]);
  });

  it('leaves out what is not known', () => {
    const bare = pullRequestText({ ...work, summary: null, checks: [], change: null });
    expect(bare).not.toMatch(/```|Checks|changed/);
  });

  it.each([
    'Fixes #1, thanks @ada',
    '```\n@ada\n```',
    '``````\n@ada',
    '<!-- eas:end -->\n\n@ada',
    '<img src="https://example.com/x.png">',
  ])('shows %j as text alone', (summary) => {
    const shown = pullRequestText({ ...work, summary, checks: [{ name: `${summary}\n\n@bob`, isPassed: true }] });
    const fences = [...shown.matchAll(/^(`{3,})text\n([^]*?)\n\1$/gm)];
    expect(fences).toHaveLength(2);
    const outside = fences.reduce((rest, [fence]) => rest.replace(fence, ''), shown);
    expect(outside).not.toMatch(/@|#|<img/);
    expect(outside.match(/eas:end/g)).toHaveLength(1);
  });

  it('is bounded, however much an agent says', () => {
    expect(pullRequestText({ ...work, summary: '😀'.repeat(100_000) }).length).toBeLessThan(11_000);
  });
});

describe('the title of a pull request', () => {
  it('is one line of at most 256 characters', () => {
    expect(pullRequestTitle('Limit\nfailed\tlogins ')).toBe('Limit failed logins');
    expect(pullRequestTitle('x'.repeat(500))).toHaveLength(256);
  });
});

describe('an open pull request', () => {
  it('that says what is wanted does not change, whatever its line ends', () => {
    expect(changesOf({ title: work.title, body: text.replaceAll('\n', '\r\n') }, wanted)).toEqual({});
  });

  it('gets the new title and text, and keeps what people wrote around it', () => {
    const later = { title: 'Limit logins', text: pullRequestText({ ...work, title: 'Limit logins', summary: 'Ten.' }) };
    expect(changesOf({ title: work.title, body: `Before.\n\n${text}\n\nAfter.` }, later)).toEqual({
      title: 'Limit logins',
      body: `Before.\n\n${later.text}\n\nAfter.`,
    });
  });

  it('keeps the title that a person gave it', () => {
    const later = { title: 'Limit logins', text: pullRequestText({ ...work, title: 'Limit logins' }) };
    expect(changesOf({ title: 'feat: logins', body: text }, later)).toEqual({ body: later.text });
  });

  it('that a person opened stays as it is', () => {
    expect(changesOf({ title: 'Mine', body: `About ${taskId}.` }, wanted)).toEqual({});
    expect(
      changesOf({ title: 'Mine', body: '<!-- eas:end -->' + text.replace('<!-- eas:end -->', '') }, wanted),
    ).toEqual({});
  });
});
