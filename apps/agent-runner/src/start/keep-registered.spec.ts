import { afterEach, describe, expect, it } from '@jest/globals';
import type { Api, ApiResponse } from '../api/api.ts';
import { keepRegistered } from './keep-registered.ts';

const facts = {
  agent_id: 'agt_1',
  instance: 'one',
  host: 'h',
  os: null,
  version: '1',
  preset: null,
  preset_title: null,
  agent_version: null,
  concurrency: 1,
  pid: null,
};
const response = (status: number, body: unknown = {}): ApiResponse => ({
  status,
  body,
  error:
    status < 400
      ? undefined
      : { code: 'not_found', message: `refused with ${status}`, details: {}, request_id: 'req_1' },
  sentAtMs: 0,
  cameAtMs: 0,
  dateMs: 0,
});
const registered = response(201, { id: 'rnr_1', draining: false });
const calm = response(200, { drain: false });

let end = async () => {};
afterEach(() => end());

/** Runs with a service that responds so, one after the other, and then always like the last. What it was asked, once there are `count` calls. */
async function run(responses: readonly (ApiResponse | 'away')[], count: number) {
  const calls: string[] = [];
  const lines: string[] = [];
  let drains = 0;
  const enough = new Promise<void>((resolve) => {
    const api: Api = async ({ method, path, body }) => {
      const given = responses[Math.min(calls.length, responses.length - 1)];
      calls.push([method, path, body && 'running' in body ? body.running : ''].join(' ').trim());
      if (calls.length === count) resolve();
      if (given === 'away' || !given) throw new Error('ECONNREFUSED');
      return given;
    };
    const log = (line: string) => void lines.push(line);
    end = keepRegistered({ api, log, facts, heartbeatMs: 1, running: () => 2, onDrain: () => (drains += 1) });
  });
  await enough;
  await end();
  end = async () => {};
  return { calls: calls.slice(0, count), last: calls.at(-1), lines, drains };
}

describe('a runner that is shown to people', () => {
  it('registers, sends heartbeats with its tasks, and is removed when it ends', async () => {
    const { calls, last, lines, drains } = await run([registered, calm], 3);
    expect(calls).toEqual(['POST /v1/runners', ...Array(2).fill('POST /v1/runners/rnr_1/heartbeat 2')]);
    expect([last, lines, drains]).toEqual(['DELETE /v1/runners/rnr_1', [], 0]);
  });

  it('registers again when the service does not know it, and at once', async () => {
    const { calls } = await run([registered, response(404), response(200, { id: 'rnr_2', draining: false }), calm], 4);
    expect(calls.map((one) => one.replace(/ 2$/, ''))).toEqual([
      'POST /v1/runners',
      'POST /v1/runners/rnr_1/heartbeat',
      'POST /v1/runners',
      'POST /v1/runners/rnr_2/heartbeat',
    ]);
  });

  it('learns that it is to end, from a heartbeat or when it registers again', async () => {
    expect((await run([registered, calm, response(200, { drain: true }), calm], 4)).drains).toBe(1);
    expect((await run([response(200, { id: 'rnr_1', draining: true }), calm], 2)).drains).toBe(1);
  });

  it('says once that the service is older, and goes on to try', async () => {
    const { calls, last, lines } = await run([response(404)], 4);
    expect(calls).toEqual(Array(4).fill('POST /v1/runners'));
    expect([last, lines]).toEqual([
      'POST /v1/runners',
      ['people do not see this runner: the service is older than this version of eas'],
    ]);
  });

  it('says once why it is refused, and nothing while the service is away', async () => {
    const { lines } = await run(['away', response(409), response(409), 'away', registered, 'away', calm], 8);
    expect(lines).toEqual(['people do not see this runner: refused with 409']);
  });

  it('goes on when a response is in another form than it knows', async () => {
    const { calls, lines } = await run([response(200, { name: 'another' }), registered, calm], 3);
    expect(calls).toHaveLength(3);
    expect(lines).toHaveLength(1);
  });
});
