import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findOnPath } from '@eas/testing/programs';
import { afterEach, describe, expect, it } from '@jest/globals';
import { gitOf, useRemotes } from '../src/git/remote.fixture.ts';
import { type Json, useRunners } from './runners.ts';

const { baseUrl, call, get, addTask, untilTask, timeline, start, workspace } = useRunners();
const { makeRemote, root } = useRemotes();
const isCompleted = ({ status }: Json) => status === 'completed';
const isOver = ({ status }: Json) => status === 'completed' || status === 'failed';
let roles = 0;

/** A role, a repository with a project, and a task of it. */
async function scene({ project = {}, task = {} }: { project?: object; task?: object } = {}) {
  const role = `projects-${(roles += 1)}`;
  const url = makeRemote(`acme/${role}`);
  const checks = [{ name: 'tests', command: 'test -s a', timeout_seconds: 60 }];
  const repositories = [{ url, checks, ...project }];
  const made = await call('POST', '/v1/projects', { name: role, repositories });
  expect(made.status).toBe(201);
  const { id } = await addTask(role, { project: made.body.id, ...task });
  return { role, url, id, branch: `task/${id}` };
}

async function artifactsOf(id: string): Promise<Json[]> {
  return (await get(`/v1/tasks/${id}/artifacts?sort=created_at`)).data;
}

async function untilThere(file: string): Promise<string> {
  for (let tries = 0; !existsSync(file) || readFileSync(file, 'utf8') === ''; tries += 1) {
    if (tries > 1_800) throw new Error(`${file} never came to be`);
    await sleep(50);
  }
  return readFileSync(file, 'utf8').trim();
}

describe('a task of a project', () => {
  it('becomes a pushed branch with evidence, and its patch can be read', async () => {
    const { role, url, id, branch } = await scene();
    start(role, 'echo 1 > a; git add a; git commit -qm "Add a"; echo 2 > b; echo "$SAY summary Both files."');
    expect(await untilTask(id, isOver)).toMatchObject({ status: 'completed', summary: 'Both files.' });
    expect(gitOf(url, 'ls-tree', '--name-only', branch)).toBe('README.md\na\nb');
    const authors = gitOf(url, 'log', '--format=%an', `main..${branch}`).split('\n');
    expect(new Set(authors)).toEqual(new Set([expect.stringContaining(role)]));
    const artifacts = await artifactsOf(id);
    expect(artifacts.map(({ kind }) => kind)).toEqual(['branch', 'commit', 'diff', 'test_report']);
    expect(artifacts[3]).toMatchObject({ data: { checks: [{ name: 'tests', passed: true }] } });
    const diff = await get(`/v1/tasks/${id}/artifacts/${artifacts[2].id}`);
    expect(diff.content).toContain('+++ b/b');
  });

  it('whose checks fail is worked on again, and a question of the agent goes to a person', async () => {
    const { role, url, id, branch } = await scene();
    const exec = `read -r first; case "$first" in
      *'"answer":"Two."'*) echo 2 > b; echo Done.;; *feedback*) echo 1 > a; echo 'One file or two?';; *) : > a; echo Done.;; esac`;
    start(role, exec);
    await untilTask(id, ({ status }) => status === 'blocked');
    const { data } = await get(`/v1/inputs?task_id=${id}`);
    expect(data).toMatchObject([{ kind: 'question', prompt: 'One file or two?' }]);
    await call('POST', `/v1/inputs/${data[0].id}/answer`, { answer: 'Two.' });
    expect(await untilTask(id, isOver)).toMatchObject({ status: 'completed' });
    expect(gitOf(url, 'ls-tree', '--name-only', branch)).toBe('README.md\na\nb');
    expect(await timeline(id, 'comment')).toMatchObject([
      { content: 'These checks failed: tests.\n(sent back to the agent, round 1 of 2)' },
    ]);
  });

  it('that changes nothing is no completed one, and is tried again', async () => {
    const { role, id } = await scene();
    start(role, 'echo All is written.');
    const task = await untilTask(id, ({ status }) => status === 'open');
    expect(task).toMatchObject({ status: 'open', waiting_on: { kind: 'timer' } });
    const [entry] = (await timeline(id, 'status_change')).filter(({ to }) => to === 'open');
    expect(JSON.stringify(entry)).toContain('The agent changed nothing.');
  });

  it('that the remote refuses has failed with its words, and the runner goes on', async () => {
    const { role, url, id } = await scene();
    mkdirSync(join(url, 'hooks'), { recursive: true });
    writeFileSync(join(url, 'hooks/pre-receive'), '#!/bin/sh\necho "No pushes today." >&2; exit 1\n', { mode: 0o755 });
    start(role, 'echo 1 > a');
    expect((await untilTask(id, isOver)).status).toBe('failed');
    expect(JSON.stringify(await timeline(id, 'status_change'))).toContain('No pushes today.');
    expect((await artifactsOf(id)).map(({ kind }) => kind)).toEqual(['branch', 'commit', 'diff', 'test_report']);
    const next = await addTask(role);
    await untilTask(next.id, isCompleted);
  });

  it('ends with its cancellation, in the agent and in a check', async () => {
    const [inAgent, inCheck] = [
      await scene(),
      await scene({ project: { checks: [{ name: 'slow', command: 'sleep 300' }] } }),
    ];
    const runners = [start(inAgent.role, 'echo 1 > a; sleep 300'), start(inCheck.role, 'echo 1 > a')];
    for (const [index, { id }] of [inAgent, inCheck].entries()) {
      const runner = runners[index];
      const sign = index === 0 ? 'preparing' : 'check slow';
      while (!runner?.log().includes(sign)) await sleep(50);
      await call('DELETE', `/v1/tasks/${id}`);
      while (!runner.log().includes('stopped: cancel')) await sleep(50);
    }
  });
});

describe('two runners with one workspace', () => {
  it('share a clone, and no worktree', async () => {
    const { role, url, id } = await scene();
    const { project } = await get(`/v1/tasks/${id}`);
    const other = await addTask(role, { project });
    const exec = `echo "$TASK_ID" > a; sleep 1`;
    const runners = ['one', 'two'].map((name) => start(role, exec, ['--name', name]));
    for (const task of [id, other.id]) await untilTask(task, isCompleted);
    for (const task of [id, other.id]) expect(gitOf(url, 'show', `task/${task}:a`)).toBe(task);
    for (const runner of runners) expect(runner.log()).toContain('preparing');
  });
});

const left: (() => void)[] = [];
afterEach(() => left.splice(0).forEach((end) => end()));

/** Blocks the call of git that the pattern of the shell is for, before or after it was made. */
function gitThatBlocks(folder: string, pattern: string, when: 'before' | 'after'): { PATH: string; marker: string } {
  const marker = join(folder, 'marker');
  const real = findOnPath('git');
  const block = `echo $$ > ${marker}; exec sleep 300`;
  const script = `case "$*" in ${pattern}) ${when === 'after' ? `${real} "$@";` : ''} ${block};; *) exec ${real} "$@";; esac`;
  mkdirSync(join(folder, 'bin'), { recursive: true });
  writeFileSync(join(folder, 'bin/git'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, 'bin/git'), 0o755);
  return { PATH: `${join(folder, 'bin')}:${process.env['PATH']}`, marker };
}

/** A service in front of the real one that holds the responses to some calls, made or not. */
async function proxyThatHolds(path: RegExp, { skip, isMade }: { skip: number; isMade: boolean }) {
  const held = Promise.withResolvers<void>();
  let count = 0;
  const server = createServer((incoming, outgoing) => {
    const isHeld = path.test(incoming.url ?? '') && (count += 1) > skip;
    if (isHeld && !isMade) return held.resolve();
    const { method, url, headers } = incoming;
    const inner = request(new URL(url ?? '', baseUrl()), { method, headers }, (response) => {
      if (isHeld) return held.resolve();
      outgoing.writeHead(response.statusCode ?? 500, response.headers);
      response.pipe(outgoing);
      return undefined;
    });
    inner.on('error', () => outgoing.destroy());
    incoming.pipe(inner);
    return undefined;
  }).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  left.push(() => (server.closeAllConnections(), server.close()));
  return { url, held: held.promise };
}

/** Says by a file that it runs, the first time, and does not end then. */
const once = (marker: string) => `if [ ! -e ${marker} ]; then echo $$ > ${marker}; sleep 300; fi`;

type Phase = {
  project?: object;
  exec?: string;
  env?: NodeJS.ProcessEnv;
  flags?: string[];
  until: () => Promise<unknown>;
};
type MakePhase = (folder: string) => Phase | Promise<Phase>;

const inGit =
  (pattern: string, when: 'before' | 'after'): MakePhase =>
  (folder) => {
    const { PATH, marker } = gitThatBlocks(folder, pattern, when);
    return {
      env: { PATH },
      async until() {
        // git is no command of the agent: it does not end with its runner.
        const pid = Number(await untilThere(marker));
        left.push(() => process.kill(pid));
      },
    };
  };
const inCall =
  (path: RegExp, options: { skip: number; isMade: boolean }): MakePhase =>
  async () => {
    const { url, held } = await proxyThatHolds(path, options);
    return { flags: ['--url', url], until: () => held };
  };
const inCommand =
  (makePhase: (block: string) => Omit<Phase, 'until'>): MakePhase =>
  (folder) => ({ ...makePhase(once(join(folder, 'marker'))), until: () => untilThere(join(folder, 'marker')) });

/** Where the first runner is killed, and how often the agent takes a turn in all. */
const phases: [string, number, MakePhase][] = [
  ['the clone', 1, inGit('*fetch*', 'before')],
  ['the worktree', 1, inGit('*"worktree add"*', 'before')],
  ['the worktree that is just made', 1, inGit('*"worktree add"*', 'after')],
  ['the setup', 1, inCommand((block) => ({ project: { setup: block } }))],
  ['the turn of the agent', 2, inCommand((block) => ({ exec: `echo half > a; ${block}; echo whole > a` }))],
  ['the commit', 1, inGit('*"commit --quiet"*', 'before')],
  ['the commit that is just made', 1, inGit('*"commit --quiet"*', 'after')],
  ['a check', 1, inCommand((block) => ({ project: { checks: [{ name: 'tests', command: block }] } }))],
  ['the push', 1, inGit('*"push --porcelain"*', 'before')],
  ['the push that is just done', 1, inGit('*"push --porcelain"*', 'after')],
  ['the artifacts', 1, inCall(/\/artifacts$/, { skip: 1, isMade: true })],
  ['the completion', 1, inCall(/\/complete$/, { skip: 0, isMade: false })],
];

/** More runners than these are too much for a small machine. */
const atATime = 4;

/** What is left when the first runner was killed in that phase, and the next one is done. */
async function resultOf([index, expectedTurns, makePhase]: readonly [number, number, MakePhase]) {
  const folder = join(root(), `phase-${index}`);
  mkdirSync(folder);
  const { project, exec = 'echo whole > a', env, flags = [], until } = await makePhase(folder);
  const { role, url, id, branch } = await scene({ ...(project ? { project } : {}) });
  const turns = join(folder, 'turns');
  const agent = `echo x >> ${turns}; ${exec}; echo Done.`;
  const own = ['--workspace', join(workspace(), `phase-${index}`), ...flags];
  const first = start(role, agent, own, env);
  await until();
  await first.end('SIGKILL');
  const next = start(role, agent, own.slice(0, 2));
  const { status } = await untilTask(id, isOver);
  await next.end('SIGTERM');
  const branches = gitOf(url, 'branch', '--list', '--format=%(refname:short)').split('\n');
  return {
    status,
    turns: readFileSync(turns, 'utf8').length / 2 - expectedTurns,
    file: gitOf(url, 'show', `${branch}:a`),
    commits: gitOf(url, 'rev-list', '--count', `main..${branch}`),
    branches: branches.map((name) => (name === branch ? 'of the task' : name)),
    artifacts: (await artifactsOf(id)).map(({ kind }) => kind).toSorted(),
  };
}

const numbered = phases.map(([title, turns, makePhase], index) => ({
  title,
  phase: [index, turns, makePhase] as const,
}));
const groups = Array.from({ length: Math.ceil(numbered.length / atATime) }, (_, index) =>
  numbered.slice(index * atATime, (index + 1) * atATime),
).map((group) => [group.map(({ title }) => title).join(', '), group] as const);

describe('a runner that is killed', () => {
  it.each(groups)(
    'loses no work, and the next one makes the same branch, and nothing twice: in %s',
    async (_, group) => {
      const results = await Promise.all(group.map(async ({ title, phase }) => ({ title, ...(await resultOf(phase)) })));
      expect(results).toEqual(
        group.map(({ title }) => ({
          title,
          status: 'completed',
          turns: 0,
          file: 'whole',
          commits: '1',
          branches: ['main', 'of the task'],
          artifacts: ['branch', 'commit', 'diff', 'test_report'],
        })),
      );
    },
  );
});
