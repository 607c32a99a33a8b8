import { acpAgent } from '../acp/acp-agent.ts';
import type { AcpSettings } from '../acp/live-agent.ts';
import type { AgentInfo } from '../acp/messages.ts';
import { probe } from '../acp/probe.ts';
import type { Agent } from '../agent/agent.ts';
import { commandAgent } from '../agent/command-agent.ts';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { agentCommand } from './agent-command.ts';
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
  const settings = { ...command, graceSeconds, deny, answerSeconds, mode: config.mode ?? preset?.mode };
  const { name, version } = await check(settings, preset, log);
  return { agent: acpAgent(settings), title: preset?.title ?? name, version };
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
