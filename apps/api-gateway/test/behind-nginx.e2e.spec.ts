// What clients get and send through a proxy that compresses.
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scopes } from '@eas/contracts';
import { eventually } from '@eas/testing';
import { findOnPath, leftOut } from '@eas/testing/programs';
import { findFreePort } from '@eas/testing/redis-server';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { useGateway } from './gateway.ts';

/** Debian has it where only root's PATH leads. */
const program = findOnPath('nginx', '../sbin/nginx');
const notRun = leftOut('nginx', program !== undefined);
const gateway = useGateway();

async function startNginx(target: string) {
  if (!program) throw new Error('nginx is not installed; .ci/run installs it.');
  const folder = mkdtempSync(join(tmpdir(), 'eas-nginx-'));
  chmodSync(folder, 0o777);
  const port = await findFreePort();
  const settings = join(folder, 'nginx.conf');
  writeFileSync(
    settings,
    `daemon off; pid ${folder}/pid; error_log stderr; worker_processes 1;
     events {}
     http {
       access_log off;
       ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
       gzip on; gzip_types application/json; gzip_proxied any; gzip_min_length 1;
       server { listen 127.0.0.1:${port}; location / { proxy_pass ${target}; } }
     }`,
  );
  const child = spawn(program, ['-c', settings, '-p', folder], { stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const closed = new Promise<void>((done) => child.once('close', () => done()));
  const url = `http://127.0.0.1:${port}`;
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(output);
    return fetch(`${url}/livez`).then(
      () => true,
      () => false,
    );
  });
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      await closed;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

(notRun ? describe.skip : describe)(`behind nginx with gzip${notRun}`, () => {
  let key = '';
  let nginx: Awaited<ReturnType<typeof startNginx>>;
  beforeAll(async () => {
    key = await gateway.makeKey(scopes);
    nginx = await startNginx(gateway.address());
  });
  afterAll(() => nginx?.stop());

  const call = (method: string, path: string, headers: Record<string, string> = {}, body?: object) =>
    fetch(`${nginx.url}${path}`, {
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });

  it('a task is changed on the version that was read, and on no other', async () => {
    const made = (await (await call('POST', '/v1/tasks', {}, { title: 'a', description: 'b' })).json()) as {
      id: string;
    };
    const path = `/v1/tasks/${made.id}`;
    const read = await call('GET', path);
    expect(read.headers.get('content-encoding')).toBe('gzip');
    const etag = read.headers.get('etag') ?? '';
    // What the proxy made of it.
    expect(etag).toBe('W/"1"');
    expect((await call('PATCH', path, { 'if-match': etag }, { title: 'changed' })).status).toBe(200);
    expect((await call('PATCH', path, { 'if-match': etag }, { title: 'late' })).status).toBe(412);
  });
});
