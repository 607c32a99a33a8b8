import { randomUUID } from 'node:crypto';
import module from 'node:module';
import { hostname } from 'node:os';
import { createApi } from '../api/api.ts';
import type { KnownAgent } from '../api/check-key.ts';
import { findAgent } from '../api/find-agent.ts';
import { findProjects } from '../api/find-projects.ts';
import type { Config } from '../config.ts';
import { withoutRepository } from '../git/git.ts';
import { processesThatShow } from '../key/hide-key.ts';
import { log } from '../log.ts';
import { keepClean } from '../task/cleaning/clean-workspace.ts';
import type { ProjectSettings } from '../project/project-settings.ts';
import { runAgent } from '../task/run-agent.ts';
import { createMask, secretsIn } from '../key/mask.ts';
import { chooseAgent, type ChosenAgent } from './choose-agent.ts';
import { keepRegistered } from './keep-registered.ts';
import { obeySupervisor } from './obey-supervisor.ts';
import { ownKey } from './own-key.ts';

/** Works until it is asked to end. `version`: that of this program. Throws a sentence when it cannot begin. */
export async function startRunner(config: Config, version: string): Promise<void> {
  const { stopping, cut, end } = endInTime(config.drain);
  const supervisor = obeySupervisor(end);
  for (const holder of processesThatShow(config.apiKey))
    log(`the command can read the API key in the environment of ${holder}: use --key-file, and see docs/services`);
  for (const { id, key } of config.upstreams)
    for (const holder of processesThatShow(key))
      log(`the agent can read the key of ${id} in the environment of ${holder}: see docs/services`);
  const chosen = await chooseAgent(config, log);
  const worker = await findWorker(config, stopping.signal);
  if (!worker) return;
  const { agent, apiKey, projects } = worker;
  log(`working as ${agent.id} (${agent.name}, ${agent.role}) for ${config.url}`);
  supervisor.reportReady();
  // Else the next start would transpile the sources once more, and take 30 MB for it, unless this one ends by itself. Not in Node.js 20.
  (module as Partial<typeof module>).flushCompileCache?.();
  keepClean({
    workspace: config.workspace,
    env: config.env,
    keepMs: config.keepDays * 86_400_000,
    maxBytes: config.maxSpaceGb * 1e9,
    signal: stopping.signal,
    log,
  });
  let running = 0;
  const leave = keepRegistered({
    api: createApi({ baseUrl: config.url, apiKey, log: () => {}, maxTries: 1 }),
    log,
    facts: factsOf(config, { agent, chosen, version }),
    heartbeatMs: config.heartbeat * 1_000,
    running: () => running,
    onDrain() {
      if (stopping.signal.aborted) return;
      log('drained: no more claims; ending when the running tasks have ended');
      stopping.abort();
    },
  });
  await runAgent({
    ...partsOf(config, agent),
    api: createApi({ baseUrl: config.url, apiKey, log }),
    projects,
    mask: createMask(secretsOf(config, apiKey)),
    agent: chosen.agent,
    onRunning: (count) => void (running = count),
    stopping: stopping.signal,
    cut,
  }).finally(leave);
  log('stopped');
}

/** `end` and the first signal abort `stopping`, and `cut` some seconds later; a second signal does at once: who asks twice does not want to wait. */
function endInTime(drainSeconds: number) {
  const [stopping, cutting] = [new AbortController(), new AbortController()];
  let isAsked = false;
  const end = (reason: string): void => {
    if (isAsked) return;
    isAsked = true;
    log(`${reason}: no more claims; waiting up to ${drainSeconds} s for running tasks`);
    stopping.abort();
    setTimeout(() => cutting.abort(), drainSeconds * 1_000).unref();
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => (isAsked ? cutting.abort() : end(signal)));
  return { stopping, cut: cutting.signal, end };
}

type Worker = { agent: KnownAgent; apiKey: string; projects: string[] };

/** Undefined: the signal aborted. */
async function findWorker(config: Config, signal: AbortSignal): Promise<Worker | undefined> {
  const { url, role, name, concurrency, capability: capabilities } = config;
  const connect = (apiKey: string) => createApi({ baseUrl: url, apiKey, log });
  log(`connecting to ${url}`);
  try {
    const projects = await findProjects(connect(config.apiKey), config.project, signal);
    const wanted = { ...(config.agent ? { agentId: config.agent } : {}), name, role, concurrency, capabilities };
    const agent = await findAgent(connect(config.apiKey), wanted, signal);
    const apiKey = config.isKept ? await ownKey(agent.id, config, { connect, signal }) : config.apiKey;
    return { agent, apiKey, projects };
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

type Found = { agent: KnownAgent; chosen: ChosenAgent; version: string };

const shortened = (text: string | null): string | null => text?.trim().slice(0, 200) || null;

/** What people see of this runner. */
const factsOf = ({ preset, concurrency }: Config, { agent, chosen, version }: Found) => ({
  agent_id: agent.id,
  instance: randomUUID(),
  host: hostname().slice(0, 255) || 'unknown',
  os: process.platform,
  version,
  preset: preset ?? null,
  preset_title: shortened(chosen.title),
  agent_version: shortened(chosen.version),
  concurrency,
  pid: process.pid,
});

const partsOf = (config: Config, { id, name }: KnownAgent) => ({
  log,
  agentId: id,
  concurrency: config.concurrency,
  workspace: config.workspace,
  author: { name, email: `${id}@noreply.invalid` },
  project: projectSettings(config),
  upstreams: config.upstreams,
  isTidy: config.tidy,
  checkMs: config.check * 1_000,
  timeoutSeconds: config.timeout,
});

/** Values that no reader of what agents say is to see. */
const secretsOf = ({ gitEnv, serverEnv, upstreams, apiKey }: Config, agentKey: string): string[] =>
  secretsIn({ ...gitEnv, ...serverEnv }, [apiKey, agentKey, ...upstreams.map(({ key }) => key)]);

const projectSettings = (config: Config): ProjectSettings => ({
  env: withoutRepository(config.env),
  gitEnv: config.gitEnv,
  serverEnv: config.serverEnv,
  copyFrom: config.copyFrom,
  setupSeconds: config.setupTimeout,
  remoteSeconds: config.gitTimeout,
  graceSeconds: config.grace,
  maxFileBytes: config.maxFileMb * 1e6,
  pushes: config.push,
  maxRounds: config.rounds,
});
