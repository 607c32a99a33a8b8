import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Call } from '../../api/api.ts';
import { upstreamsIn } from '../../presets/providers.ts';
import { double } from '../../acp/double-agent.fixture.ts';
import { useRemotes } from '../../git/remote.fixture.ts';
import { answers, repositoryOf, useClaims } from '../claim-scene.fixture.ts';

const { run, scene } = useClaims();
const { makeRemote } = useRemotes();
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

const upstreams = () =>
  upstreamsIn({
    ANTHROPIC_API_KEY: 'k',
    ANTHROPIC_BASE_URL: `http://127.0.0.1:${(provider.address() as AddressInfo).port}`,
  });

/** A person decides; `isRaised`: after that calls are allowed. */
function person(decision: 'approve' | 'reject', isRaised: boolean): (call: Call) => object {
  let asked = 0;
  const answer = answers({ decision });
  return (call) => {
    if (call.path.endsWith('/inputs')) asked += 1;
    const isAllowed = isRaised && asked > 0;
    const decided = isAllowed ? { allowed: true, reason: null, wait_ms: null } : refusal;
    return { ...answer(call), ...(call.path.endsWith('/model-calls') ? decided : {}) };
  };
}

async function work(decision: 'approve' | 'reject', isRaised: boolean) {
  const { work: working, bodies } = scene(command, { upstreams: upstreams() }, person(decision, isRaised));
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

describe('a turn that ends well though a budget is used up', () => {
  it('is not done when the last call of its agent was refused: a person is asked whether to go on', async () => {
    const given = { agent: double('model'), upstreams: upstreams() };
    const { bodies, complete } = await run('', [repositoryOf(makeRemote())], given, person('approve', true));
    expect(bodies('inputs')).toMatchObject([{ kind: 'approval', prompt: expect.stringMatching(/^The budget is/) }]);
    expect(complete).toMatchObject({ summary: 'hello.txt is written.' });
  });

  it('is not followed by another round before a person has agreed, by the agent’s own count of its tokens', async () => {
    const answer = answers({ decision: 'approve' });
    const onCall = (call: Call) => ({ ...answer(call), exhausted: 'The budget is used up.' });
    const check = { name: 'tests', command: 'grep -q good hello.txt', timeout_seconds: 60 };
    const repositories = [repositoryOf(makeRemote(), { checks: [check] })];
    const { bodies, complete } = await run('', repositories, { agent: double('counted') }, onCall);
    expect(bodies('usage')).toMatchObject([{ input_tokens: 5, source: 'agent' }, { input_tokens: 5 }]);
    expect(bodies('inputs')).toMatchObject([{ kind: 'approval', prompt: expect.stringMatching(/^The budget is/) }]);
    expect(complete).toMatchObject({ summary: 'hello.txt is written.' });
  });
});
