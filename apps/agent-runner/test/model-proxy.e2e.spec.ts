import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@eas/testing/eventually';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Json, useRunners } from './runners.ts';

const { addTask, apiKey, call, get, start, untilTask, fileOf } = useRunners();
const key = 'sk-operator-0123456789abcdef';
const serverToken = 'mcp-operator-0123456789abcdef';
const gitToken = 'ghp-operator-0123456789abcdef';
const usage = { input_tokens: 60, output_tokens: 10 };
let provider: Server;
let seen: IncomingHttpHeaders[] = [];
let atOnce = 0;
let mostAtOnce = 0;
/** Calls that get responses once this number of them has arrived. */
let together = 1;

beforeAll(async () => {
  provider = createServer((request, response) => {
    seen.push(request.headers);
    mostAtOnce = Math.max(mostAtOnce, (atOnce += 1));
    request.resume().once('end', () => {
      void eventually(() => mostAtOnce >= together).then(() => {
        atOnce -= 1;
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ content: [], usage }));
      });
    });
  });
  await new Promise<void>((done) => provider.listen(0, '127.0.0.1', done));
});
afterAll(() => new Promise((done) => provider.close(done)));

let roles = 0;
const newRole = () => `proxy-${process.pid}-${(roles += 1)}`;
/** What an operator has in the environment of a runner. */
const keys = () => ({
  ANTHROPIC_API_KEY: key,
  MCP_ISSUES_TOKEN: serverToken,
  GITHUB_TOKEN: gitToken,
  ANTHROPIC_BASE_URL: `http://127.0.0.1:${(provider.address() as AddressInfo).port}`,
});
const isOver = ({ status }: Json) => status === 'completed';

/** Asks the model until it is refused, and prints why. */
const askOn = `${process.execPath} -e '
  const ask = () => fetch(process.env.ANTHROPIC_BASE_URL + "/v1/messages", {
    method: "POST", headers: { "x-api-key": process.env.ANTHROPIC_API_KEY },
    body: JSON.stringify({ model: "m", max_tokens: 100, messages: [] }) });
  (async () => {
    for (let n = 0; n < 100; n += 1) {
      const response = await ask();
      if (response.status !== 200) return console.log(response.status, await response.text());
    }
  })()'`;

describe('an agent that reaches its models through the runner', () => {
  it('finds no key of the operator in any environment, command line, file or output', async () => {
    const role = newRole();
    const task = await addTask(role);
    start(
      role,
      `env > seen.txt; cat /proc/*/environ /proc/*/cmdline /proc/$PPID/fd/9 >> seen.txt 2>/dev/null
       cat "$TASK_DIR"/*.json >> seen.txt; grep -rs operator- "$HOME"/.config/eas >> seen.txt; cat seen.txt; true`,
      [],
      keys(),
    );
    await untilTask(task.id, isOver);
    const found = fileOf(task.id, 'work/seen.txt');
    expect(found).toContain(`TASK_ID=${task.id}`);
    expect(found).toMatch(/ANTHROPIC_BASE_URL=http:\/\/127\.0\.0\.1:\d+\/anthropic/);
    expect(found).toMatch(/ANTHROPIC_API_KEY=eas-task-/);
    expect(found).not.toContain(key);
    for (const secret of [serverToken, gitToken, apiKey()]) expect(found).not.toContain(secret);
    expect(fileOf(task.id, 'output.log')).not.toContain(key);
    expect(JSON.stringify(await get(`/v1/tasks/${task.id}/session?limit=1000`))).not.toContain(key);
  });

  it('exceeds no budget by more than one call, also when two runners work at once', async () => {
    [seen, mostAtOnce, together] = [[], 0, 2];
    const role = newRole();
    const limit = 1_000;
    const body = { scope: 'role', scope_id: role, unit: 'tokens', period: 'day', limit };
    const budget = (await call('POST', '/v1/budgets', body)).body;
    const tasks = [await addTask(role), await addTask(role)];
    for (const name of ['one', 'two']) start(role, askOn, ['--name', `${role}-${name}`], keys());
    for (const { id } of tasks) {
      await untilTask(id, isOver);
      expect(fileOf(id, 'output.log')).toMatch(/^400 .*The budget of the role .* is used up: 10\d\d of 1000 tokens/m);
    }
    const { current } = (await call('GET', `/v1/budgets/${budget.id}`)).body;
    expect(current).toMatchObject({ reserved: 0, is_exhausted: true, estimated_calls: 0 });
    const perCall = usage.input_tokens + usage.output_tokens;
    expect(current.spent).toBe(seen.length * perCall);
    expect(current.spent).toBeGreaterThanOrEqual(limit);
    expect(current.spent).toBeLessThan(limit + perCall);
    expect(mostAtOnce).toBe(2);
    expect(new Set(seen.map((headers) => headers['x-api-key']))).toEqual(new Set([key]));
  });
});
