// A system of its own, and for each agent a played model and runners with repositories to work on.
import { existsSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OwnSystem } from '@eas/testing/own-system';
import { agentEnvironment, type AgentId, programOf } from './agents.ts';
import type { ModelServer } from './model/server.ts';
import { makeRemote } from './remote.ts';
import { endRunner, type Runner, startRunner } from './runner.ts';
import { type Json, apiOf } from './api.ts';
import { withRecorder } from './recording/wrap-program.ts';

export type Arena = ReturnType<typeof createArena>;
/** `role`: one that only this task has. */
export type Work = { task: Json; role: string; repositories: string[]; files(): string };

/** `count`: of repositories, with these files in their first commit. */
type MoreWork = {
  count?: number;
  checks?: object[];
  files?: Record<string, string>;
  title?: string;
  description?: string;
  contract?: object;
};

/** `bins`: folders of the agent's program, where it is not one of the pinned ones. `isRecorded`: what it and the runner say is written down. */
type Parts = {
  system: Pick<OwnSystem, 'baseUrl' | 'apiKey'>;
  folder: string;
  agent: AgentId;
  model: ModelServer;
  bins?: readonly string[];
  isRecorded?: boolean;
};

export function createArena(parts: Parts) {
  const { system, folder, agent, model, bins, isRecorded = false } = parts;
  const workspace = join(folder, 'workspace');
  const alone = agentEnvironment(agent, { home: join(folder, 'home'), modelUrl: model.url, bins });
  const env = isRecorded ? withRecorder(alone, programOf(agent), join(folder, 'recorder')) : alone;
  const api = apiOf(system);
  const { call, get } = api;
  const all: Runner[] = [];
  /** By role, the last one of each. */
  const runners = new Map<string, Runner>();
  let works = 0;
  mkdirSync(workspace, { recursive: true });

  return {
    agent,
    folder,
    isRecorded,
    model,
    ...api,
    /** A task of a project with this number of repositories. */
    async addWork(script: string, more: MoreWork = {}): Promise<Work> {
      const { count = 1, checks = [], files, title = 'Say hello', description = 'Write hello.txt.', contract } = more;
      const role = `${agent}-${script}-${(works += 1)}`;
      const urls = Array.from({ length: count }, (_, at) =>
        makeRemote(join(folder, 'remotes', role, `repository-${at}.git`), files),
      );
      const repositories = urls.map((url) => ({ url, checks }));
      const project = await call('POST', '/v1/projects', { name: role, repositories });
      const task = { title, description: `${description} SCRIPT:${script}`, assigned_role: role, contract };
      const made = await call('POST', '/v1/tasks', { ...task, project: project.body.id });
      if (made.status !== 201) throw new Error(`The task was not made: ${JSON.stringify(made.body)}`);
      return { task: made.body, role, repositories: urls, files: () => join(workspace, made.body.id) };
    },
    startRunner({ role }: Work, flags: readonly string[] = []): Runner {
      const runner = startRunner(
        ['agent', 'start', agent, '--role', role, '--workspace', workspace, '--url', system.baseUrl, ...flags],
        { ...env, API_KEY: system.apiKey },
      );
      runners.set(role, runner);
      all.push(runner);
      return runner;
    },
    /** Waits for the task to be so. */
    async untilTask(work: Work, isSo: (now: Json) => boolean, seconds: number): Promise<Json> {
      const deadline = performance.now() + seconds * 1_000;
      for (;;) {
        const now = await get(`/v1/tasks/${work.task.id}`);
        if (isSo(now)) return now;
        const runner = runners.get(work.role);
        const isLate = performance.now() > deadline;
        if (isLate || runner?.hasEnded())
          throw new Error(
            `the task is ${now.status} ${isLate ? `after ${seconds} s` : 'and the runner has ended'}\n${this.outputOf(work)}\n${runner?.log() ?? ''}`,
          );
        await sleep(200);
      }
    },
    async untilFile({ files }: Pick<Work, 'files'>, name: string, seconds: number): Promise<string> {
      for (let waited = 0; waited < seconds * 5; waited += 1) {
        const [file] = globSync(join(files(), 'work', '**', name));
        const text = file !== undefined && existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
        if (text !== '') return text;
        await sleep(200);
      }
      throw new Error(`${name} was not written in ${seconds} s`);
    },
    /** The last that its agent did. */
    outputOf({ files }: Work): string {
      const file = join(files(), 'output.log');
      return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(-20).join('\n') : '';
    },
    /** Of any of its runners. */
    mostMegabytes: (): number => Math.max(0, ...all.map((runner) => runner.mostMegabytes())),
    async end(): Promise<void> {
      await Promise.all(all.map((runner) => endRunner(runner, 'SIGKILL')));
    },
  };
}
