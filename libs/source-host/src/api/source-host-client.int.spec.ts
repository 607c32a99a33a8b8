import { describe, expect, it } from '@jest/globals';
import nock from 'nock';
import { sendByFetch } from '@eas/platform-calls/send-by-fetch';
import { useNock } from '@eas/platform-calls/nock';
import { createSourceHostApi, sourceHostOf } from './source-host-client.ts';

const baseUrl = 'https://code.example/api/v3';
const now = 1_700_000_000_000;
const client = createSourceHostApi({ send: sendByFetch(10_000), baseUrl, now: () => now })('ghp_secret');
const reqheaders = {
  authorization: 'Bearer ghp_secret',
  accept: 'application/vnd.github+json',
  'user-agent': 'engineering-agent-service',
};
const api = () => nock('https://code.example', { reqheaders });
const path = '/api/v3/repos/acme/web/pulls';
const shown = {
  number: 7,
  title: 'Limit logins',
  html_url: 'https://code.example/acme/web/pull/7',
  body: null,
  user: { login: 'the-service' },
  state: 'open',
  merged_at: null,
  updated_at: '2026-11-20T10:00:00Z',
  head: { ref: 'task/tsk_1', sha: '9fceb02', repo: null },
  base: { ref: 'main', repo: { full_name: 'acme/web' } },
  draft: false,
};
const made = { title: 'Limit logins', body: 'Text.', head: 'task/tsk_1', base: 'main' };

useNock();

describe('the client of the source host', () => {
  it('finds the pull requests of a branch, the newest first, whatever their state', async () => {
    const query = { head: 'acme:task/tsk_1', state: 'all', sort: 'created', direction: 'desc', per_page: '10' };
    api().get(path).query(query).reply(200, [shown]);
    expect(await client.findPullRequests('acme/web', 'task/tsk_1')).toMatchObject({
      kind: 'ok',
      value: [{ number: 7, state: 'open', head: { sha: '9fceb02' } }],
    });
  });

  it('creates a pull request, and changes what it says', async () => {
    api().post(path, made).reply(201, shown);
    api().patch(`${path}/7`, { body: 'Other.' }).reply(200, shown);
    expect(await client.createPullRequest('acme/web', made)).toMatchObject({ kind: 'ok', value: { number: 7 } });
    expect(await client.changePullRequest('acme/web', 7, { body: 'Other.' })).toMatchObject({ kind: 'ok' });
  });

  it('escapes names that go into a path', async () => {
    api().post('/api/v3/repos/acme/we%3Fb/pulls').reply(404, {});
    expect(await client.createPullRequest('acme/we?b', made)).toMatchObject({ kind: 'gone' });
  });

  it.each([
    [401, { message: 'Bad credentials' }, {}, { kind: 'denied', status: 401, reason: 'status 401: Bad credentials' }],
    [403, { message: 'Resource not accessible by personal access token' }, {}, { kind: 'denied', status: 403 }],
    [404, { message: 'Not Found' }, {}, { kind: 'gone', reason: 'status 404: Not Found' }],
    [301, { message: 'Moved Permanently' }, {}, { kind: 'gone', reason: 'status 301: Moved Permanently' }],
    [
      422,
      { message: 'Validation Failed', errors: [{ message: 'No commits between main and task/tsk_1' }, null, 'x'] },
      {},
      { kind: 'refused', reason: 'status 422: Validation Failed No commits between main and task/tsk_1' },
    ],
    [
      422,
      { message: 'Validation Failed', errors: [{ resource: 'PullRequest', field: 'base', code: 'invalid' }] },
      {},
      { kind: 'refused', reason: 'status 422: Validation Failed base invalid' },
    ],
    [403, { message: 'Slow down' }, { 'retry-after': '30' }, { kind: 'limited', retryAt: now + 30_000 }],
    [
      403,
      { message: 'API rate limit exceeded' },
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(now / 1_000 + 12) },
      { kind: 'limited', retryAt: now + 12_000 },
    ],
    [429, {}, { 'retry-after': '5' }, { kind: 'limited', retryAt: now + 5_000 }],
    [502, '<html>', {}, { kind: 'unavailable', reason: 'status 502' }],
    [201, { ...shown, number: 'seven' }, {}, { kind: 'unavailable' }],
  ])('sorts out the status %i with the body %j and the headers %j', async (status, body, headers, expected) => {
    api().post(path, made).reply(status, body, headers);
    expect(await client.createPullRequest('acme/web', made)).toMatchObject(expected);
  });

  it('keeps the token out of the reason when the host repeats it', async () => {
    api().post(path, made).reply(401, { message: 'ghp_secret is not valid' });
    expect(await client.createPullRequest('acme/web', made)).toMatchObject({ reason: 'status 401: … is not valid' });
  });

  it('gives up when the connection breaks off', async () => {
    api().post(path, made).replyWithError('socket hang up');
    expect(await client.createPullRequest('acme/web', made)).toMatchObject({ kind: 'unavailable' });
  });
});

describe('the host of the repositories', () => {
  it.each([
    ['https://api.github.com', 'github.com'],
    ['https://api.acme.ghe.com', 'acme.ghe.com'],
    ['https://Code.example:8443/api/v3', 'code.example'],
    ['http://[::1]:3000', '::1'],
  ])('of %s is %s', (url, host) => expect(sourceHostOf(url)).toBe(host));
});
