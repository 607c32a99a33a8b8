import type { FoundAgent } from '@eas/contracts';
import type { Env } from '../key/env.ts';
import { type Preset, presets } from '../presets/presets.ts';
import { findPrograms, missingProgram } from './agent-command.ts';
import { probePreset } from './probe-preset.ts';

type Options = { env: Env; probes: boolean };

/** All presets, and which of them are installed here. `probes`: those that are there are started; none is installed. */
export const listPresets = ({ env, probes }: Options): Promise<FoundAgent[]> =>
  Promise.all(presets.map((preset) => findPreset(preset, { env, probes })));

async function findPreset(preset: Preset, { env, probes }: Options): Promise<FoundAgent> {
  const { path, cliPath } = findPrograms(preset, env);
  const shown = cliPath ?? path ?? null;
  const found = { preset: preset.id, title: preset.title, found: shown !== null, path: shown };
  const problem = shown === null ? missingProgram(preset) : null;
  if (!probes || path === undefined) return { ...found, version: null, problem };
  try {
    return { ...found, version: (await probePreset(preset, env)).slice(0, 100), problem };
  } catch (error) {
    return { ...found, version: null, problem: (error as Error).message.slice(0, 500) };
  }
}
