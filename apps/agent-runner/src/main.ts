import { createApi } from './api/api.ts';
import { findAgent } from './api/find-agent.ts';
import { type Config, environment, loadConfig } from './config.ts';
import { withoutRepository } from './git/git.ts';
import { hideKey, processesThatShow } from './key/hide-key.ts';
import { log } from './log.ts';
import { chooseAgent } from './start/choose-agent.ts';
import { keepClean } from './task/clean-workspace.ts';
import type { ProjectSettings } from './project/project-settings.ts';
import { runAgent } from './task/run-agent.ts';

hideKey(environment());
const config = loadConfig(process.argv.slice(2));
if ('refusal' in config) {
  process.stderr.write(`${config.refusal}\n`);
  process.exitCode = 2;
} else {
  run(config).catch((error: unknown) => {
    log(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  });
}

async function run(config: Config): Promise<void> {
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
  const api = createApi({ baseUrl: config.url, apiKey: config.apiKey, log });
  const { role, name, concurrency } = config;
  const wanted = { ...(config.agent ? { agentId: config.agent } : {}), name, role, concurrency };
  log(`connecting to ${config.url}`);
  const agent = await findAgent(api, { ...wanted, capabilities: config.capability }, stopping.signal).catch(
    (error: unknown) => {
      if (!stopping.signal.aborted) throw error;
    },
  );
  if (!agent) return;
  log(`working as ${agent.id} (${agent.name}, ${agent.role}) for ${config.url}`);
  keepClean({
    workspace: config.workspace,
    env: config.env,
    keepMs: config['keep-days'] * 86_400_000,
    maxBytes: config['max-space-gb'] * 1e9,
    signal: stopping.signal,
    log,
  });
  await runAgent({
    api,
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
  copyFrom: config['copy-from'],
  setupSeconds: config['setup-timeout'],
  remoteSeconds: config['git-timeout'],
  graceSeconds: config.grace,
  maxFileBytes: config['max-file-mb'] * 1e6,
  pushes: !config['no-push'],
  maxRounds: config.rounds,
});
