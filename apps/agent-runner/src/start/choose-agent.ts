import { acpAgent } from '../acp/acp-agent.ts';
import type { AcpSettings } from '../acp/live-agent.ts';
import { probe } from '../acp/probe.ts';
import type { Agent } from '../agent/agent.ts';
import { commandAgent } from '../agent/command-agent.ts';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { agentCommand } from './agent-command.ts';
import { type Preset, presets } from '../presets/presets.ts';

/** The agent of the command line, ready to work. Throws a sentence that says what is missing. */
export async function chooseAgent(config: Config, log: Log): Promise<Agent> {
  const { exec, acp = '', env, grace: graceSeconds, deny } = config;
  if (exec !== undefined) return commandAgent({ line: exec, env, graceSeconds, closesStdin: config.closeStdin });
  const preset = presets.find(({ id }) => id === config.preset);
  const command = preset ? await agentCommand(preset, env, log) : { line: acp, env };
  const settings = { ...command, graceSeconds, deny, mode: config.mode ?? preset?.mode };
  await check(settings, preset, log);
  return acpAgent(settings);
}

async function check(settings: AcpSettings, preset: Preset | undefined, log: Log): Promise<void> {
  const { name, version } = await probe(settings, (text) => log(`${preset?.title ?? 'the agent'} ${text}`)).catch(
    (error: Error) => {
      throw new Error(preset ? `${preset.title}: ${error.message} ${preset.login}` : error.message);
    },
  );
  const tested = preset && preset.npm.version !== version ? `; it was tested with version ${preset.npm.version}` : '';
  log(`${name} ${version} is ready${tested}`);
}
