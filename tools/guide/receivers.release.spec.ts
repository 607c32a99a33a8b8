// The receivers of docs/guide/verify-webhooks.md accept what the service signs, and nothing else.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { payloadBytes, signatureHeaders, signingKey } from '@eas/webhooks';
import { findFreePorts } from '@eas/testing/own-system';
import { findOnPath, leftOut } from '@eas/testing/programs';
import { type Block } from './guide-blocks.ts';
import { readBlocks } from './run-page.ts';
import { type RunningProgram, startProgram } from './run-program.ts';

const page = 'docs/guide/verify-webhooks.md';
const secrets = [`whsec_${Buffer.alloc(32, 7).toString('base64')}`, 'a secret of the client, ü'];
const shownSecret = 'correct horse battery';
const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;

const programOf = ({ commands }: Block): string => / ([a-z0-9]+) [^']*$/.exec(commands)?.[1] ?? '';
const languages = readBlocks(page, {})
  .filter(({ mode }) => mode === 'serves')
  .map(programOf);
/** A Java of programs alone cannot run a source file. */
const runtimeOf = (language: string): string => (language === 'java' ? 'javac' : language);

const eventId = 'evt_01ks0000000000000000000000';
const body = payloadBytes({
  eventId,
  eventType: 'task.completed',
  occurredAt: new Date('2026-11-21T10:00:00.000Z'),
  dataText: '{"task_id":"tsk_1","title":"Grüße \\u0007 😀","b":1.0}',
});
const signed = (secret: string, secondsAgo = 0) =>
  signatureHeaders([signingKey(secret)], { eventId, body, at: new Date(Date.now() - secondsAgo * 1_000) });

const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], LANG: 'C.UTF-8' };
/** Has nothing but what the page says to install. */
const folder = mkdtempSync(join(tmpdir(), 'eas-receivers-'));
beforeAll(() => {
  const commands = readBlocks(page, { '$(mktemp -d)': folder }).find(({ mode }) => mode === 'run')?.commands ?? '';
  execFileSync('bash', ['-ec', commands], { cwd: resolve(import.meta.dirname, '../..'), env, stdio: 'pipe' });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function start(language: string, secret: string): Promise<RunningProgram & { url: string }> {
  if (!findOnPath(runtimeOf(language)))
    throw new Error(`${runtimeOf(language)} is not installed. Install it before a release is tried.`);
  const port = await findFreePorts(1);
  const blocks = readBlocks(page, { '4790': String(port), [shownSecret]: secret });
  const block = blocks.find((one) => one.mode === 'serves' && programOf(one) === language);
  if (!block) throw new Error(`no program for ${language}`);
  return { ...(await startProgram(block, { folder, port, env })), url: `http://127.0.0.1:${port}/` };
}

it('are in five languages', () => {
  expect(languages).toEqual(['node', 'python3', 'go', 'java', 'php']);
});

describe.each(languages)('the receiver for %s', (language) => {
  const notRun = leftOut(runtimeOf(language), findOnPath(runtimeOf(language)) !== undefined);
  (notRun ? it.skip : it).each(secrets)(
    `accepts signed deliveries alone${notRun}, with the secret %s`,
    async (secret) => {
      const receiver = await start(language, secret);
      const post = async (headers: Record<string, string>, bytes = body): Promise<number> => {
        const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
        return (await fetch(receiver.url, { ...init, body: new Uint8Array(bytes) })).status;
      };
      try {
        const [headers, foreign] = [signed(secret), signed(other)];
        const rotated = [foreign, headers].map((each) => each['webhook-signature']).join(' ');
        const changed = Buffer.from(body);
        changed[changed.length - 4] = '2'.charCodeAt(0);

        expect(await post(headers)).toBe(200);
        expect(await post({ ...headers, 'webhook-signature': rotated })).toBe(200);
        expect(await post(headers, changed)).toBe(401);
        expect(await post({ ...headers, 'webhook-id': `${eventId}1` })).toBe(401);
        expect(await post(foreign)).toBe(401);
        expect(await post(signed(secret, 290))).toBe(200);
        expect(await post(signed(secret, 310))).toBe(401);
        expect(await post(signed(secret, -310))).toBe(401);
        expect([400, 401]).toContain(await post({}));
        expect(receiver.output()).toContain('task.completed');
      } finally {
        receiver.stop();
      }
    },
  );
});
