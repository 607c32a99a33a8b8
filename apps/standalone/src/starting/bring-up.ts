import { join } from 'node:path';
import { type ProcessParts, supervisedVariable, withSettings } from '@eas/runtime';
import { createAlerts, createLastErrors } from '../supervision/alerts.ts';
import { allowsLocalRunners, type AppPlan, planPorts, planSystem } from '../apps.ts';
import { checkPorts } from './check-ports.ts';
import { compileCacheFolder } from '../compile-cache.ts';
import type { Config } from '../config.ts';
import { databaseAddress } from '../database-address.ts';
import { startDatabase } from '../supervision/database.ts';
import { keepBaseUrl } from '../data-folder/base-url.ts';
import { encryptionKeyOf } from '../data-folder/encryption-key.ts';
import { keepAlive, type KeepAliveOptions, type KeptAlive } from '../supervision/keep-alive.ts';
import { type LogFiles, openLogFiles } from '../supervision/log-files.ts';
import { appUrl } from '../data-folder/app-url.ts';
import { beginPreparation, type PrepareOrder } from '../preparation/prepare-database.ts';
import { prepareFolder } from '../data-folder/prepare-folder.ts';
import { takeRunLock } from '../data-folder/run-lock.ts';
import { answerGateway } from '../runners/answer-gateway.ts';
import { createAgentFinder } from '../runners/find-agents.ts';
import { createCallHandler } from '../runners/handle-call.ts';
import { createLocalRunners } from '../runners/local-runners.ts';
import { runnerEnv } from '../runners/runner-env.ts';
import { openRunnerFolder } from '../runners/runner-folder.ts';
import { spawnApp } from '../supervision/spawn-app.ts';
import { alert, say } from '../terminal.ts';
import { waitUntilReady } from '../supervision/wait-until-ready.ts';

type Parts = ProcessParts<Config>;

/** Of the whole shutdown Postgres may take this; the apps come first and have the rest. */
const databaseStopMs = 1_200;
/** Runners leave so much to the apps and to Postgres. */
const appsStopMs = databaseStopMs + 3_000;

const onDeath: KeepAliveOptions['onDeath'] = ({ name, reason, restartInMs }) =>
  alert(`${name} ${reason}; restarting in ${restartInMs / 1_000} s`);

export async function bringUp(parts: Parts): Promise<KeptAlive[]> {
  const { config, onShutdown, shutdownSignal } = parts;
  prepareFolder(config.dataDir);
  onShutdown('run lock', takeRunLock(config.dataDir));
  const encryptionKey = encryptionKeyOf(config);
  await checkPorts(planPorts(config));
  const preparation = beginPreparation(childEnv(config));
  onShutdown('preparation', preparation.cancel);
  const variables = await preparation.checkSettings();
  const { databaseUrl, ...order } = await openDatabases(parts);
  const { applied, newKey, adminPath, notices = [] } = await preparation.run({ ...order, encryptionKey });
  if (applied > 0) say(`applied ${applied} migrations`);
  const plan = planSystem(config, { databaseUrl, encryptionKey });
  keepBaseUrl(config.dataDir, plan.baseUrl);
  [...notices, ...plan.notices].forEach(say);
  say(`starting ${plan.apps.length} apps, queues on ${config.redis.url ? 'Redis' : 'Postgres'}`);
  const lastErrors = createLastErrors();
  const logFiles = openLogFiles(config.dataDir, parts.logger);
  onShutdown('log files', logFiles.close);
  const publicUrl = `http://${probeHost(config.host)}:${config.port}`;
  const runners = allowsLocalRunners(config) ? openRunners(config, { logFiles, publicUrl, variables }) : undefined;
  const kept = startApps(parts, plan.apps, { logFiles, onLine: lastErrors.add, runners });
  // Before the apps, which they give their tasks back to.
  if (runners) onShutdown('runners', (remainingMs) => runners.stop(Math.max(500, remainingMs - appsStopMs)));
  await waitUntilReady({
    apps: plan.apps,
    kept,
    publicUrl,
    lastErrorOf: lastErrors.of,
    say,
    signal: shutdownSignal,
  });
  if (adminPath) say(`admin ${plan.baseUrl}${adminPath}`);
  if (newKey) say(`api key ${newKey}`);
  say(`dashboard ${plan.baseUrl}/admin/`);
  say(`ready ${plan.baseUrl}`);
  runners?.startKept();
  return kept;
}

/** `databaseUrl`: of the apps; the other addresses are for the processes that prepare the database. */
type Databases = { databaseUrl: string } & Omit<PrepareOrder, 'encryptionKey'>;

async function openDatabases({ config, onShutdown }: Parts): Promise<Databases> {
  const { databaseUrl: givenUrl } = config;
  const address = databaseAddress(config, true);
  if (givenUrl && address) return { databaseUrl: givenUrl, migrateUrl: address.url, setting: address.setting };
  say(`starting Postgres in ${config.dataDir}`);
  const { url, kept } = await startDatabase({ dataDir: config.dataDir, say, onDeath });
  onShutdown('postgres', (remainingMs) => kept.stop(Math.min(remainingMs, databaseStopMs)));
  const databaseUrl = appUrl(config.dataDir, url);
  return { databaseUrl, migrateUrl: url, setting: 'DATA_DIR', embeddedAppUrl: databaseUrl };
}

/** Compiled sources are kept, so that the next start is faster. */
function childEnv({ inheritedEnv }: Config): Record<string, string | undefined> {
  return { NODE_COMPILE_CACHE: compileCacheFolder, ...inheritedEnv };
}

type RunnerParts = { logFiles: LogFiles; publicUrl: string; variables: readonly string[] };

function openRunners(config: Config, { logFiles, publicUrl, variables }: RunnerParts) {
  const easFile = join(config.root, 'apps/agent-runner/src/main.ts');
  const env = runnerEnv(childEnv(config), variables);
  const runners = createLocalRunners({
    url: publicUrl,
    easFile,
    cwd: config.root,
    env,
    folder: openRunnerFolder(config.dataDir, alert),
    logFiles,
    onDeath,
  });
  const finder = createAgentFinder({ easFile, env, onProblem: alert });
  return { ...runners, onMessage: answerGateway(createCallHandler({ runners, finder })) };
}

type AppParts = {
  logFiles: LogFiles;
  onLine: (name: string, line: string) => void;
  runners: ReturnType<typeof openRunners> | undefined;
};

function startApps(
  { config, onShutdown }: Parts,
  apps: AppPlan[],
  { logFiles, onLine, runners }: AppParts,
): KeptAlive[] {
  const show = createAlerts(alert);
  const kept = apps.map(({ name, env }) =>
    keepAlive({
      name,
      onDeath,
      start: async () =>
        spawnApp({
          file: join(config.root, 'apps', name, 'src/main.ts'),
          cwd: config.root,
          env: withSettings(childEnv(config), { ...env, [supervisedVariable]: 'true' }),
          logFile: logFiles.fileOf(name),
          onAlert: (line) => {
            onLine(name, line);
            show(name, line);
          },
          ...(runners && name === 'api-gateway' ? { onMessage: runners.onMessage } : {}),
        }),
    }),
  );
  onShutdown('apps', (remainingMs) =>
    Promise.all(kept.map((one) => one.stop(Math.max(500, remainingMs - databaseStopMs)))),
  );
  return kept;
}

function probeHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
