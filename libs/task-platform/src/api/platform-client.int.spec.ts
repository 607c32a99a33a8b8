import { describe, expect, it } from '@jest/globals';
import nock from 'nock';
import { sendByFetch } from '@eas/platform-calls/send-by-fetch';
import { useNock } from '@eas/platform-calls/nock';
import { createPlatformApi } from './platform-client.ts';

const baseUrl = 'https://api.platform.example/api/v2';
const now = 1_700_000_000_000;
const client = createPlatformApi({ send: sendByFetch(10_000), baseUrl, now: () => now })('pk_secret');
const api = () => nock('https://api.platform.example', { reqheaders: { authorization: 'pk_secret' } });
const task = {
  id: '86a',
  name: 'Limit logins',
  date_updated: '1642736073330',
  status: { status: 'to do', type: 'open' },
};

useNock();

describe('the client of the platform', () => {
  it('reads a task with the token in the header', async () => {
    api().get('/api/v2/task/86a').reply(200, task);
    expect(await client.readTask('86a')).toMatchObject({ kind: 'ok', value: { id: '86a', name: 'Limit logins' } });
  });

  it('reads a task whose fields have other types than expected, without those', async () => {
    api()
      .get('/api/v2/task/86a')
      .reply(200, { ...task, name: 7, tags: 'none', folder: [], id: 86 });
    expect(await client.readTask('86a')).toMatchObject({ kind: 'ok', value: { id: '86', name: null, tags: null } });
  });

  it('escapes ids that go into a path', async () => {
    api().get('/api/v2/task/..%2Fteam').reply(404, {});
    expect(await client.readTask('../team')).toMatchObject({ kind: 'gone' });
  });

  it('posts a comment and sets a status', async () => {
    api()
      .post('/api/v2/task/86a/comment', { comment_text: 'Done.', notify_all: false })
      .reply(200, { id: 458, hist_id: '26508', date: 1_568_036_964_079 });
    api().put('/api/v2/task/86a', { status: 'complete' }).reply(200, task);
    expect(await client.postComment('86a', 'Done.')).toEqual({
      kind: 'ok',
      value: { id: '458', date: 1_568_036_964_079 },
    });
    expect(await client.setStatus('86a', 'complete')).toMatchObject({ kind: 'ok' });
  });

  it('reads a page of tasks, and counts those that it cannot read', async () => {
    api()
      .get('/api/v2/team/9/task')
      .query({
        date_updated_gt: '5',
        date_updated_lt: '9',
        page: '2',
        order_by: 'updated',
        reverse: 'true',
        include_closed: 'true',
        subtasks: 'true',
      })
      .reply(200, { tasks: [task, { name: 'no id' }], last_page: true });
    const page = await client.readPage({ team: '9', after: 5, before: 9, page: 2 });
    expect(page).toMatchObject({ kind: 'ok', value: { tasks: [{ id: '86a' }], unreadable: 1, isLast: true } });
  });

  it.each([
    [
      404,
      { err: 'Task not found', ECODE: 'ITEM_013' },
      { kind: 'gone', reason: 'status 404: Task not found ITEM_013' },
    ],
    [401, { err: 'Token invalid' }, { kind: 'denied', status: 401, reason: 'status 401: Token invalid' }],
    [403, '', { kind: 'denied', status: 403, reason: 'status 403' }],
    [400, { err: 'Status not found' }, { kind: 'refused', reason: 'status 400: Status not found' }],
    [500, { err: 'oops' }, { kind: 'unavailable' }],
    [503, '<html>maintenance</html>', { kind: 'unavailable', reason: 'status 503' }],
    [302, '', { kind: 'unavailable' }],
    [200, '<html>sign in</html>', { kind: 'unavailable', reason: 'the response is not JSON' }],
    [
      200,
      { id: 'without a date' },
      { kind: 'unavailable', reason: 'the response has an unknown shape at date_updated' },
    ],
  ])('sorts out the status %i with the body %j', async (status, body, expected) => {
    api().get('/api/v2/task/86a').reply(status, body);
    expect(await client.readTask('86a')).toMatchObject(expected);
  });

  it.each([
    ['Retry-After in seconds', { 'Retry-After': '30' }, now + 30_000],
    ['the reset of the window', { 'X-RateLimit-Reset': String(now / 1_000 + 12) }, now + 12_000],
    ['nothing', {}, undefined],
    ['a Retry-After of years', { 'Retry-After': '99999999' }, now + 3_600_000],
  ])('learns from %s when it may call again after a 429', async (_, headers, retryAt) => {
    api().get('/api/v2/task/86a').reply(429, { err: 'Rate limit reached' }, headers);
    expect(await client.readTask('86a')).toMatchObject({ kind: 'limited', retryAt });
  });

  it('keeps the token out of the reason when the platform repeats it', async () => {
    api().get('/api/v2/task/86a').reply(401, { err: 'Token pk_secret is not valid' });
    expect(await client.readTask('86a')).toMatchObject({ reason: 'status 401: Token … is not valid' });
  });

  it('rests when the platform says that no call is left', async () => {
    const headers = { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': String(now / 1_000 + 20) };
    api().get('/api/v2/task/86a').reply(200, task, headers);
    expect(await client.readTask('86a')).toMatchObject({ kind: 'ok', restUntil: now + 20_000 });
  });

  it('refuses what is larger than 1 MiB', async () => {
    api()
      .get('/api/v2/task/86a')
      .reply(200, { ...task, filler: 'x'.repeat(1_100_000) });
    expect(await client.readTask('86a')).toMatchObject({
      kind: 'refused',
      reason: 'the response is larger than 1048576 bytes',
    });
  });

  it('gives up when the connection breaks off', async () => {
    api().get('/api/v2/task/86a').replyWithError('socket hang up');
    expect(await client.readTask('86a')).toMatchObject({ kind: 'unavailable' });
  });
});
