import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@eas/testing/eventually';
import { describe, expect, it } from '@jest/globals';
import { isAlive, type Json, newRole, readInto, type Runner, useRunners } from './runners.ts';

const { apiKey, call, get, addTask, untilTask, timeline, start, fileOf, gate, workspace } = useRunners();
const isCompleted = ({ status }: Json) => status === 'completed';
const heartbeats = ['--heartbeat', '0.3'];

describe('a third-party program', () => {
  it('formats a file of the task and commits it: prettier and git, reported by marked lines', async () => {
    const role = newRole();
    const code = 'const   a = {b:1 ,\n c : "two"}';
    const task = await addTask(role, { metadata: { code } });
    start(
      role,
      `node -p "require('$TASK_DIR/task.json').task.metadata.code" > code.ts && prettier --write code.ts &&
       git init -q && git add . && git -c user.name=rd -c user.email=rd@example.com commit -qm "$TASK_ID" &&
       echo "$SAY artifact {\\"kind\\":\\"commit\\",\\"sha\\":\\"$(git rev-parse HEAD)\\"}" && echo "$SAY summary Formatted."`,
    );
    const done = await untilTask(task.id, isCompleted);
    expect(fileOf(task.id, 'work/code.ts')).toBe('const a = { b: 1, c: "two" };\n');
    expect(await timeline(task.id, 'artifact')).toMatchObject([{ kind: 'commit' }]);
    const agent = await get(`/v1/agents/${done.assigned_agent}`);
    expect(agent).toMatchObject({ role, status: 'idle', stats: { tasks_completed: 1 } });
  });

  it('that reads its stdin to the end gets the task and then the end', async () => {
    const role = newRole();
    const task = await addTask(role, { title: 'Sort me' });
    start(role, 'sort > sorted.json', ['--close-stdin']);
    await untilTask(task.id, isCompleted);
    expect(JSON.parse(fileOf(task.id, 'work/sorted.json'))).toMatchObject({ task: { id: task.id, title: 'Sort me' } });
  });
});

describe('the session of a task', () => {
  it('has the output of its command, without lines for the runner and secrets, and causes no event', async () => {
    const role = newRole();
    const task = await addTask(role);
    start(
      role,
      'echo "begins with $MODEL_TOKEN"; echo "$SAY summary Done."; echo "a warning" >&2; sleep 3; echo ends',
      [],
      {
        MODEL_TOKEN: 'of-a-model-0123',
      },
    );
    await untilTask(task.id, isCompleted);
    const { data } = await get(`/v1/tasks/${task.id}/session`);
    const said = (id: string) => data.map((entry: Json) => (entry.message_id === id ? entry.text : '')).join('');
    expect([said('stdout'), said('stderr')]).toEqual(['begins with ***\nends\n', 'a warning\n']);
    expect(data.map(({ number }: Json) => number)).toEqual(data.map((_: Json, at: number) => at + 1));
    expect(await timeline(task.id, 'comment')).toEqual([]);
  });
});

describe('the marked lines of a command', () => {
  it('become progress, milestones, comments, a checkpoint and the end; wrong ones come back to it', async () => {
    const role = newRole();
    const task = await addTask(role);
    start(
      role,
      `echo "$SAY plan tested"; echo "$SAY progress 40 Half way."; echo "$SAY milestone written"
       echo "$SAY"' checkpoint {"at":3}'; echo "$SAY progress 400"; echo "$SAY sing"; echo "::fail As a file says."; echo plain
       ${readInto('task')}; ${readInto('first')}; ${readInto('second')}
       echo "$SAY comment $first"; echo "$SAY"' result {"sha":"a1"}'; echo "$SAY"' scores {"code_quality":90}'; env > env.txt
       cat /proc/$PPID/environ /proc/$PPID/cmdline /proc/$PPID/fd/3 >> env.txt 2>/dev/null; true`,
    );
    const done = await untilTask(task.id, isCompleted);
    expect(done.progress.milestones).toEqual([
      { name: 'tested', completed: false },
      { name: 'written', completed: true },
    ]);
    const comments = done.activity.filter(({ type }: Json) => type === 'comment').map(({ content }: Json) => content);
    expect(comments[0]).toBe('Half way.');
    expect(JSON.parse(comments[1])).toMatchObject({
      kind: 'refused',
      line: expect.stringMatching(/^::[0-9a-f]{16} progress 400$/),
      error: { code: 'invalid_input' },
    });
    expect(fileOf(task.id, 'output.log')).toMatch(/refused: ::[0-9a-f]{16} sing/);
    expect(fileOf(task.id, 'output.log')).toContain('refused: ::fail As a file says.');
    const seen = fileOf(task.id, 'work/env.txt');
    expect(seen).toContain('TASK_ID=');
    expect(seen).not.toContain('API_KEY');
    expect(seen).not.toContain(apiKey());
    expect((await get(`/v1/agents/${done.assigned_agent}`)).stats.code_quality_score).toBe(90);
  });

  it('ask a person, whose answer comes on stdin and as a file', async () => {
    const role = newRole();
    const task = await addTask(role);
    start(
      role,
      `${readInto('task')}; echo "$SAY"' ask {"kind":"question","prompt":"Which branch?"}'; ${readInto('answer')}
       echo "$SAY comment $answer"; cat "$TASK_DIR"/inbox/*answer.json > answer.json`,
    );
    await untilTask(task.id, ({ status }) => status === 'blocked');
    const { data } = await get(`/v1/inputs?task_id=${task.id}`);
    await call('POST', `/v1/inputs/${data[0].id}/answer`, { answer: 'main' });
    const done = await untilTask(task.id, isCompleted);
    expect(JSON.parse(done.activity.find(({ type }: Json) => type === 'comment').content)).toMatchObject({
      answer: 'main',
    });
    expect(JSON.parse(fileOf(task.id, 'work/answer.json'))).toMatchObject({ kind: 'answer', input_id: data[0].id });
  });

  it('ask a person and end: the command runs again with the answer', async () => {
    const role = newRole();
    const task = await addTask(role);
    start(
      role,
      `if grep -q '"answer": "blue"' "$TASK_DIR/task.json"; then echo "$SAY summary painted"
       else echo "$SAY"' ask {"kind":"choice","prompt":"Colour?","options":["red","blue"]}'; fi`,
    );
    await untilTask(task.id, ({ status }) => status === 'blocked');
    const { data } = await get(`/v1/inputs?task_id=${task.id}`);
    await call('POST', `/v1/inputs/${data[0].id}/answer`, { answer: 'blue' });
    const { activity } = await untilTask(task.id, isCompleted);
    expect(activity.map(({ to }: Json) => to)).toEqual(['in_progress', 'blocked', 'in_progress', 'completed']);
  });
});

describe('a runner', () => {
  it('kills the command and all that it started when the task is cancelled', async () => {
    const role = newRole();
    const task = await addTask(role);
    const runner = start(role, `sleep 300 & echo "$SAY comment $!"; wait`);
    const { activity } = await untilTask(task.id, ({ activity: seen }) => seen.length === 2);
    const pid = Number(activity[1].content);
    expect(isAlive(pid)).toBe(true);
    expect((await call('DELETE', `/v1/tasks/${task.id}`)).status).toBe(204);
    await eventually(() => !isAlive(pid));
    await eventually(() => runner.log().includes('stopped: cancel'));
  });

  it('passes messages of people to the command', async () => {
    const role = newRole();
    const task = await addTask(role);
    start(role, `${readInto('task')}; echo "$SAY comment ready"; ${readInto('message')}; echo "$SAY comment $message"`);
    await untilTask(task.id, ({ activity }) => activity.length === 2);
    await call('POST', `/v1/tasks/${task.id}/messages`, { content: 'Be quick.' });
    const { activity } = await untilTask(task.id, isCompleted);
    expect(JSON.parse(activity[2].content)).toMatchObject({ kind: 'message', content: 'Be quick.' });
  });

  it('reports a failure that may be tried again, one that may not, and a time-out', async () => {
    const role = newRole();
    const [again, never] = [await addTask(role), await addTask(role)];
    const runner = start(
      role,
      `${readInto('task')}; case "$task" in *${again.id}*) echo broken >&2; exit 3;; *) echo "$SAY fail No such branch.";; esac`,
    );
    expect((await untilTask(never.id, ({ status }) => status === 'failed')).status).toBe('failed');
    expect(await untilTask(again.id, ({ status }) => status === 'open')).toMatchObject({
      waiting_on: { kind: 'timer' },
    });
    await runner.end('SIGTERM');
    const slow = await addTask(role);
    start(role, 'sleep 300', ['--timeout', '0.5']);
    expect(await untilTask(slow.id, ({ status }) => status === 'open')).toMatchObject({
      waiting_on: { kind: 'timer' },
    });
  });

  it('works on up to --concurrency tasks at a time', async () => {
    const role = newRole();
    const tasks = [await addTask(role), await addTask(role), await addTask(role)];
    const { waits, open } = gate();
    start(role, waits, ['--concurrency', '2']);
    for (const { id } of tasks.slice(0, 2)) await untilTask(id, ({ status }) => status === 'in_progress');
    const states = await Promise.all(tasks.map(async ({ id }) => (await get(`/v1/tasks/${id}`)).status));
    expect(states.filter((status) => status === 'in_progress')).toHaveLength(2);
    open();
    for (const { id } of tasks) await untilTask(id, isCompleted);
  });

  it('claims nothing more after SIGTERM, waits, and then gives back what is not done', async () => {
    const role = newRole();
    const [short, long] = [await addTask(role), await addTask(role)];
    const { waits, open } = gate();
    const exec = `${readInto('task')}; case "$task" in *${long.id}*) sleep 300;; *) ${waits};; esac`;
    const runner = start(role, exec, ['--concurrency', '2', '--drain', '60']);
    await untilTask(long.id, ({ status }) => status === 'in_progress');
    await untilTask(short.id, ({ status }) => status === 'in_progress');
    void runner.end('SIGTERM');
    await eventually(() => runner.log().includes('no more claims'));
    const next = await addTask(role);
    open();
    await untilTask(short.id, isCompleted);
    // Who asks twice does not want to wait any longer.
    expect(await runner.end('SIGTERM')).toBe(0);
    expect((await get(`/v1/tasks/${long.id}`)).status).toBe('open');
    expect((await get(`/v1/tasks/${next.id}`)).status).toBe('created');
  });

  it('is seen by people, registers again when it is unknown, and ends when they drain it', async () => {
    const role = newRole();
    const { waits, open } = gate();
    const [busy, waiting] = [start(role, waits, heartbeats), start(role, 'true', [...heartbeats, '--name', 'Idle'])];
    const [ofBusy, ofWaiting] = await Promise.all([runnerOf(`${role}-${hostname()}`), runnerOf('Idle')]);
    expect(ofBusy).toMatchObject({ host: hostname(), preset: null, concurrency: 1, running: 0, presence: 'online' });
    expect((await call('POST', `/v1/runners/${ofWaiting.id}/drain`)).status).toBe(200);
    expect(await waiting.ended).toBe(0);
    expect(waiting.log()).toContain('drained: no more claims');
    expect((await call('GET', `/v1/runners/${ofWaiting.id}`)).status).toBe(404);

    await call('DELETE', `/v1/runners/${ofBusy.id}`);
    // They are planned at the same time: either is claimed.
    for (let made = 0; made < 2; made += 1) await addTask(role);
    const again = await runnerOf(`${role}-${hostname()}`, ({ running }) => running === 1);
    expect(again.id).not.toBe(ofBusy.id);
    await call('POST', `/v1/runners/${again.id}/drain`);
    await eventually(() => busy.log().includes('no more claims'));
    open();
    expect(await busy.ended).toBe(0);
    const statuses = (await get(`/v1/tasks?assigned_role=${role}`)).data.map(({ status }: Json) => status);
    expect(statuses.sort()).toEqual(['completed', 'created']);
    expect((await get(`/v1/runners?agent_id=${again.agent_id}`)).data).toEqual([]);
  });

  it('says what it waits for while the address does not respond', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const runner = start(newRole(), 'true', ['--url', url]);
    await eventually(() => runner.log().includes(`connecting to ${url}`));
    silent.close();
    await runner.end('SIGKILL');
    const refused = start(newRole(), 'true', ['--url', url]);
    await eventually(() => refused.log().includes(`GET ${url}/v1/agents/me: ECONNREFUSED; retrying`));
  });

  it('retries claims while its agent is at its limit, as after a kill, also with a service without runners', async () => {
    let claims = 0;
    const errorOf = (code: string) =>
      JSON.stringify({ error: { code, message: 'The agent has no room.', details: {}, request_id: 'req_1' } });
    const full = createHttpServer(({ url: path }, response) => {
      const isClaim = path?.endsWith('/claims');
      if (isClaim) claims += 1;
      response.writeHead(isClaim ? 409 : 404, { 'content-type': 'application/json', connection: 'close' });
      response.end(errorOf(isClaim ? 'conflict' : 'not_found'));
    }).listen(0, '127.0.0.1');
    await once(full, 'listening');
    const url = `http://127.0.0.1:${(full.address() as AddressInfo).port}`;
    const runner = start(newRole(), 'true', ['--url', url, '--agent', 'agt_full', ...heartbeats]);
    expect(await Promise.race([runner.ended, eventually(() => claims === 2)])).toBeUndefined();
    expect(await runner.end('SIGTERM')).toBe(0);
    expect(runner.log().match(/people do not see this runner: the service is older/g)).toHaveLength(1);
    full.close();
  });

  it('claims only tasks of its projects, given by name or ID, and says which one does not exist', async () => {
    const role = newRole();
    const [web, api] = await Promise.all(
      ['web', 'api'].map(async (name) => (await call('POST', '/v1/projects', { name: `${name} of ${role}` })).body),
    );
    const [other, first, second] = [
      await addTask(role, { priority: 'critical' }),
      await addTask(role, { project: web.id }),
      await addTask(role, { project: api.id }),
    ];
    start(role, 'true', ['--project', web.name, '--project', api.id]);
    await untilTask(first.id, isCompleted);
    await untilTask(second.id, isCompleted);
    expect((await get(`/v1/tasks/${other.id}`)).status).toBe('created');
    const lost = start(role, 'true', ['--project', 'nothing']);
    expect(await lost.ended).toBe(1);
    expect(lost.log()).toContain('There is no project "nothing".');
  });

  it('reports to the program that started it with a channel when it works, and ends by its word or without it', async () => {
    const keyFile = join(workspace(), 'key');
    writeFileSync(keyFile, apiKey());
    const ends = [(runner: Runner) => runner.send({ type: 'shutdown' }), (runner: Runner) => runner.disconnect()];
    for (const end of ends) {
      const runner = start(newRole(), 'true', ['--key-file', keyFile], { API_KEY: undefined });
      await eventually(() => runner.reports().length > 0);
      expect(runner.reports()).toEqual([{ type: 'ready' }]);
      end(runner);
      expect(await runner.ended).toBe(0);
    }
  });

  it('says in a sentence why it cannot work', async () => {
    const runner = start(newRole(), 'true', ['--agent', 'agt_unknown']);
    expect(await runner.ended).toBe(1);
    expect(runner.log()).toContain('Claiming for agt_unknown failed with 404');
  });
});

/** The runner of the agent with this name, once it is so. */
async function runnerOf(name: string, isSo: (runner: Json) => boolean = () => true): Promise<Json> {
  for (;;) {
    const [agent] = (await get(`/v1/agents?name=${name}&sort=-created_at`)).data;
    const [runner] = agent ? (await get(`/v1/runners?agent_id=${agent.id}`)).data : [];
    if (runner && isSo(runner)) return runner;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
