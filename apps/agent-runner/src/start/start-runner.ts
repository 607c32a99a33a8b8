import { createApi } from '../api/api.ts';
import { findAgent } from '../api/find-agent.ts';
import type { Config } from '../config.ts';
import { withoutRepository } from '../git/git.ts';
import { processesThatShow } from '../key/hide-key.ts';
import { log } from '../log.ts';
import { keepClean } from '../task/clean-workspace.ts';
import type { ProjectSettings } from '../project/project-settings.ts';
import { runAgent } from '../task/run-agent.ts';
import { chooseAgent } from './choose-agent.ts';
import { ownKey } from './own-key.ts';

/** Works until it is told to end. Throws a sentence when it cannot begin. */
export async function startRunner(config: Config): Promise<void> {
  const [stopping, cutting] = [new AbortController(), new AbortController()];
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => {
      // Whoever asks twice does not want to wait.
      if (stopping.signal.aborted) return cutting.abort();
      log(`${signal}: no more claims; waiting up to ${config.drain} s for running tasks`);
      stopping.abort();
      setTimeout(() => cutting.abort(), config.drain * 1_000).unref();
    });
  for (const holder of processesThatShow(config.apiKey))
    log(`the command can read the API key in the environment of ${holder}: use --key-file, and see docs/services`);
  const driver = await chooseAgent(config, log);
  const connect = (apiKey: string) => createApi({ baseUrl: config.url, apiKey, log });
  const { role, name, concurrency } = config;
  const wanted = { ...(config.agent ? { agentId: config.agent } : {}), name, role, concurrency };
  log(`connecting to ${config.url}`);
  const agent = await findAgent(
    connect(config.apiKey),
    { ...wanted, capabilities: config.capability },
    stopping.signal,
  ).catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error;
  });
  if (!agent) return;
  const apiKey = config.isKept ? await ownKey(agent.id, config, { connect, signal: stopping.signal }) : config.apiKey;
  log(`working as ${agent.id} (${agent.name}, ${agent.role}) for ${config.url}`);
  keepClean({
    workspace: config.workspace,
    env: config.env,
    keepMs: config.keepDays * 86_400_000,
    maxBytes: config.maxSpaceGb * 1e9,
    signal: stopping.signal,
    log,
  });
  await runAgent({
    api: connect(apiKey),
    log,
    agentId: agent.id,
    concurrency,
    workspace: config.workspace,
    author: { name: agent.name, email: `${agent.id}@noreply.invalid` },
    project: projectSettings(config),
    isTidy: config.tidy,
    checkMs: config.check * 1_000,
    timeoutSeconds: config.timeout,
    agent: driver,
    stopping: stopping.signal,
    cut: cutting.signal,
  });
  log('stopped');
}

const projectSettings = (config: Config): ProjectSettings => ({
  env: withoutRepository(config.env),
  copyFrom: config.copyFrom,
  setupSeconds: config.setupTimeout,
  remoteSeconds: config.gitTimeout,
  graceSeconds: config.grace,
  maxFileBytes: config.maxFileMb * 1e6,
  pushes: config.push,
  maxRounds: config.rounds,
});
