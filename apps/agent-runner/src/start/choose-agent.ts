import { acpAgent } from '../acp/acp-agent.ts';
import type { AcpSettings } from '../acp/live-agent.ts';
import type { AgentInfo } from '../acp/messages.ts';
import { probe } from '../acp/probe.ts';
import type { Agent } from '../agent/agent.ts';
import { commandAgent } from '../agent/command-agent.ts';
import type { Config } from '../config.ts';
import { openModelProxy } from '../model-proxy/model-proxy.ts';
import type { Upstream } from '../presets/providers.ts';
import type { Log } from '../log.ts';
import { agentCommand } from './agent-command.ts';
import { accessEnv } from '../presets/model-access.ts';
import { type Preset, presets } from '../presets/presets.ts';

/** The agent of the command line, and what it is: nothing is known of a script. */
export type ChosenAgent = { agent: Agent; title: string | null; version: string | null };

/** The agent of the command line, ready to work. Throws a sentence that says what is missing. */
export async function chooseAgent(config: Config, log: Log): Promise<ChosenAgent> {
  const { exec, acp = '', env, grace: graceSeconds, deny, answerWait: answerSeconds } = config;
  if (exec !== undefined) {
    const agent = commandAgent({ line: exec, env, graceSeconds, closesStdin: config.closeStdin });
    return { agent, title: null, version: null };
  }
  const preset = presets.find(({ id }) => id === config.preset);
  const command = preset ? await agentCommand(preset, env, log) : { line: acp, env };
  const mode = config.mode ?? preset?.mode;
  const settings = { ...command, graceSeconds, deny, answerSeconds, mode, access: preset?.access };
  const { name, version } = await checkWithAccess(settings, { preset, upstreams: config.upstreams, log });
  return { agent: acpAgent(settings), title: preset?.title ?? name, version };
}

type Checked = { preset: Preset | undefined; upstreams: readonly Upstream[]; log: Log };

/** No task is worked on yet: a call to a model would be refused. */
const noLease = { call: async () => ({ kind: 'lost' as const, reason: 'no task' }), report: async () => undefined };

async function checkWithAccess(settings: AcpSettings, { preset, upstreams, log }: Checked): Promise<AgentInfo> {
  if (upstreams.length === 0) return check(settings, preset, log);
  const proxy = await openModelProxy({ keeper: noLease, upstreams, onBudget: () => {}, log });
  try {
    return await check({ ...settings, env: { ...settings.env, ...accessEnv(proxy, settings.access) } }, preset, log);
  } finally {
    await proxy.close();
  }
}

async function check(settings: AcpSettings, preset: Preset | undefined, log: Log): Promise<AgentInfo> {
  const info = await probe(settings, (text) => log(`${preset?.title ?? 'the agent'} ${text}`)).catch((error: Error) => {
    throw new Error(preset ? `${preset.title}: ${error.message} ${preset.login}` : error.message);
  });
  const { name, version } = info;
  const tested = preset && preset.npm.version !== version ? `; it was tested with version ${preset.npm.version}` : '';
  log(`${name} ${version} is ready${tested}`);
  return info;
}
