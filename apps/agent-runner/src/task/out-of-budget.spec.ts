import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Call } from '../api/api.ts';
import { upstreamsIn } from '../presets/providers.ts';
import { answers, useClaims } from './claim-scene.fixture.ts';

const { scene } = useClaims();
let provider: Server;
beforeAll(async () => {
  provider = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('{"usage":{"input_tokens":1,"output_tokens":1}}');
  });
  await new Promise<void>((done) => provider.listen(0, '127.0.0.1', done));
});
afterAll(() => new Promise((done) => provider.close(done)));

const refusal = { allowed: false, reason: 'The budget is used up.', budget_id: 'bud_1', wait_ms: null };
/** Fails when its model refuses. */
const command = `${process.execPath} -e '
  fetch(process.env.ANTHROPIC_BASE_URL + "/v1/messages", {
    method: "POST", headers: { "x-api-key": process.env.ANTHROPIC_API_KEY }, body: JSON.stringify({ model: "m" }) })
    .then((response) => process.exit(response.ok ? 0 : 1))'`;

/** A person decides; `isRaised`: after that calls are allowed. */
async function work(decision: 'approve' | 'reject', isRaised: boolean) {
  const upstreams = upstreamsIn({
    ANTHROPIC_API_KEY: 'k',
    ANTHROPIC_BASE_URL: `http://127.0.0.1:${(provider.address() as AddressInfo).port}`,
  });
  let asked = 0;
  const answer = answers({ decision });
  const { work: working, bodies } = scene(command, { upstreams }, (call: Call) => {
    if (call.path.endsWith('/inputs')) asked += 1;
    const isAllowed = isRaised && asked > 0;
    const decided = isAllowed ? { allowed: true, reason: null, wait_ms: null } : refusal;
    return { ...answer(call), ...(call.path.endsWith('/model-calls') ? decided : {}) };
  });
  await working.done;
  return bodies;
}

describe('a turn that fails because a budget is used up', () => {
  it('asks a person whether to go on, and goes on when the limit was raised', async () => {
    const bodies = await work('approve', true);
    const [asked] = bodies('inputs') as { kind: string; prompt: string }[];
    expect(asked).toMatchObject({
      kind: 'approval',
      prompt: expect.stringMatching(/^The budget is used up\.\nShould/),
    });
    expect([bodies('inputs').length, bodies('complete').length, bodies('fail').length]).toEqual([1, 1, 0]);
  });

  it('ends the task with the reason when the person rejects it', async () => {
    const bodies = await work('reject', false);
    expect(bodies('fail')).toMatchObject([{ reason: 'The budget is used up.', retryable: false }]);
    expect(bodies('inputs')).toHaveLength(1);
  });
});
