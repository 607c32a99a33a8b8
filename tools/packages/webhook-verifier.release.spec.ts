// The published package, in a folder that has nothing else: as JavaScript and as TypeScript with the types of Express.
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { installPacked } from './packed-package.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'eas-package-'));
const read = (...path: string[]): string => readFileSync(join(...path), 'utf8');
let installed = '';

beforeAll(() => {
  installed = installPacked('@eas/webhook-verifier', 'libs/webhook-verifier', folder, process.env);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const javascript = `
import { createHmac } from 'node:crypto';
import { verifyWebhook } from '@eas/webhook-verifier';
const body = JSON.stringify({ event_type: 'ping', event_id: 'evt_1', timestamp: '2026-11-21T10:00:00Z', data: {} });
const signature = 'sha256=' + createHmac('sha256', 'secret').update(body).digest('hex');
const headers = { 'x-service-signature': signature };
console.log(JSON.stringify(await verifyWebhook({ headers, body }, { secret: 'secret', scheme: 'service' })));
`;

const typescript = `
import { createServer } from 'node:http';
import express from 'express';
import { verifyWebhook, webhookFetchHandler, webhookHandler, type HandlerOptions, type SeenEvents } from '@eas/webhook-verifier';
const seen: SeenEvents = new Set<string>();
const options: HandlerOptions = { secret: ['old', 'new'], seen, onEvent: async ({ event_type, data }) => [event_type, data['task_id']] };
express().post('/webhooks', webhookHandler(options));
createServer(webhookHandler(options));
export default { fetch: webhookFetchHandler(options) } satisfies { fetch(request: Request): Promise<Response> };
const result = await verifyWebhook({ headers: new Headers(), body: new Uint8Array() }, options);
export const text: string = result.ok ? result.event.event_id : result.reason;
// @ts-expect-error there is no such reason
if (!result.ok && result.reason === 'unlucky') throw new Error();
// @ts-expect-error a secret is needed
webhookHandler({ onEvent: () => undefined });
`;

describe('@eas/webhook-verifier, packed', () => {
  it('has its code, types, page and licence, and no dependencies', () => {
    const files = globSync('**/*.*', { cwd: installed });
    expect(files.filter((file) => !/^dist\/[\w-]+\.(js|d\.ts)$/.test(file)).sort()).toEqual([
      'README.md',
      'package.json',
    ]);
    expect(read(installed, 'LICENSE')).toBe(read(root, 'LICENSE'));
    const manifest = JSON.parse(read(installed, 'package.json')) as Record<string, unknown>;
    const own = JSON.parse(read(root, 'package.json')) as Record<string, unknown>;
    expect(manifest).toMatchObject({ license: own['license'], version: own['version'] });
    expect(Object.keys(manifest).filter((key) => /dependencies|private/i.test(key))).toEqual([]);
  });

  it('runs in plain Node', () => {
    writeFileSync(join(folder, 'consumer.mjs'), javascript);
    const output = execFileSync(process.execPath, ['consumer.mjs'], { cwd: folder, encoding: 'utf8' });
    expect(JSON.parse(output)).toMatchObject({ ok: true, event: { event_id: 'evt_1' } });
  });

  it.each(['nodenext', 'bundler'])('has types for TypeScript with module resolution %s', (moduleResolution) => {
    mkdirSync(join(folder, 'node_modules'), { recursive: true });
    const types = join(folder, 'node_modules/@types');
    rmSync(types, { force: true });
    symlinkSync(join(root, 'node_modules/@types'), types);
    const module = moduleResolution === 'bundler' ? 'esnext' : moduleResolution;
    const compilerOptions = { strict: true, noEmit: true, target: 'es2022', types: ['node'], module, moduleResolution };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }));
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
    writeFileSync(join(folder, 'consumer.ts'), typescript);
    const compile = () =>
      execFileSync(join(root, 'node_modules/.bin/tsc'), { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
    let output = '';
    try {
      output = compile();
    } catch (error) {
      output = String((error as { stdout?: unknown }).stdout);
    }
    expect(output).toBe('');
  });
});
