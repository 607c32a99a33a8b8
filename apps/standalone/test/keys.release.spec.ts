import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSecretBox } from '@eas/db';
import { silentLogger, startWebhookSink, useTestDatabase, type WebhookSink } from '@eas/testing';
import { ownRedisDatabase, queueBackEnd } from '@eas/testing/queue-back-end';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runFromTerminal } from '../src/commands/command.fixture.ts';
import { startSystem, type System } from './system.ts';
import { type Sent, verified } from './verified.ts';

const test = useTestDatabase();
const makeKey = () => randomBytes(32).toString('base64');
const [old, fresh, last] = [makeKey(), makeKey(), makeKey()];
const secret = `whsec_${randomBytes(24).toString('base64')}`;
const apiKey = `test-${randomBytes(24).toString('hex')}`;
const reseal = (keys: string[], ...args: string[]) =>
  runFromTerminal(['reseal', ...args], { databaseUrl: test.url, encryptionKeys: keys });

describe(`the encryption key of a working system, with queues on ${queueBackEnd.kind}`, () => {
  let sink: WebhookSink;
  let system: System | undefined;
  let webhook = '';
  beforeAll(async () => void (sink = await startWebhookSink()));
  afterAll(async () => {
    await system?.stop();
    await sink.close();
  });

  async function restart(...keys: string[]): Promise<void> {
    await system?.stop();
    const ENCRYPTION_KEY = keys.join(',');
    const REDIS_URL = ownRedisDatabase(13);
    system = await startSystem({ DATABASE_URL: test.url, REDIS_URL, ENCRYPTION_KEY, BOOTSTRAP_API_KEY: apiKey });
  }
  async function call(method: 'POST' | 'PATCH', path: string, body: object): Promise<Record<string, unknown>> {
    const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
    const response = await fetch(`${system?.baseUrl}${path}`, { method, headers, body: JSON.stringify(body) });
    expect(response.ok).toBe(true);
    return (await response.json()) as Record<string, unknown>;
  }
  const post = (path: string, body: object) => call('POST', path, body);
  /** A task whose webhook arrives, signed with the secret, and with the header that was stored. */
  async function expectDelivery(signedWith = secret, token = 'hush'): Promise<void> {
    const { id } = await post('/v1/tasks', { title: 't', description: 'd', assigned_role: 'rd' });
    const request = await sink.waitFor(({ body }) => (JSON.parse(body.toString()) as Sent).data['task_id'] === id);
    expect((await verified(request, signedWith)).event_type).toBe('task.created');
    expect(request.headers['x-token']).toBe(token);
  }

  it('is replaced in steps, and what was encrypted with the old one is read with the new one alone', async () => {
    await restart(old);
    const url = `${sink.url}/hook`;
    const { id } = await post('/v1/webhooks', {
      url,
      events: ['task.created'],
      secret,
      headers: { 'X-Token': 'hush' },
    });
    webhook = `/v1/webhooks/${String(id)}`;
    await expectDelivery();
    await restart(old, fresh);
    await expectDelivery();
    await restart(fresh, old);
    expect(await reseal([fresh, old], '--check')).toMatchObject({ code: 1 });
    const [resealed] = await Promise.all([reseal([fresh, old]), expectDelivery()]);
    expect(resealed).toMatchObject({ code: 0, out: expect.stringContaining('older keys can be removed') });
    await expectDelivery();
    await restart(fresh);
    await expectDelivery();
    expect(await reseal([fresh], '--check')).toMatchObject({ code: 0, err: '' });
  });

  it('is given up when it is lost, and secrets that are set again work', async () => {
    await system?.stop();
    system = undefined;
    const open = () => openSecretBox({ database: test.database, encryptionKeys: [last], logger: silentLogger });
    const [, lostId = ''] = /sealed by (\w+)/.exec(await open().then(String, String)) ?? [];
    const page = readFileSync(join(import.meta.dirname, '../../../docs/operate/keys.md'), 'utf8');
    const [, sql = ''] = /```sql\n([^]+?)```/.exec(page) ?? [];
    await test.database.db.query(sql.replace('<ID of the lost key>', lostId));
    await restart(last);
    expect(await reseal([last], '--check')).toMatchObject({ code: 1 });
    const { secret: next } = await post(`${webhook}/rotate-secret`, {});
    await call('PATCH', webhook, { headers: null });
    await call('PATCH', webhook, { headers: { 'X-Token': 'new' } });
    await expectDelivery(String(next), 'new');
    expect(await reseal([last], '--check')).toMatchObject({ code: 0 });
  });
});
