import { probe } from '../acp/probe.ts';
import type { Env } from '../key/env.ts';
import type { Preset } from '../presets/presets.ts';
import { agentCommand } from './agent-command.ts';

/** Starts the coding agent of a preset, and gives its version. Throws a sentence that begins with its title. */
export async function probePreset(preset: Preset, env: Env): Promise<string> {
  const { title, mode, login } = preset;
  try {
    const command = await agentCommand(preset, env, () => {});
    const { version } = await probe({ ...command, mode, graceSeconds: 1, deny: [] }, () => {});
    return version;
  } catch (error) {
    const { message } = error as Error;
    throw new Error(message.startsWith(title) ? message : `${title}: ${message} ${login}`);
  }
}
