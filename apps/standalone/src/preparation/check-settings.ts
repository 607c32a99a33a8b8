import { join } from 'node:path';
import { listSettings, SettingsError, type SettingsShape, withSettings, type WrongSetting } from '@eas/runtime';
import { planSystem } from '../apps.ts';
import { type Config, configShape } from '../config.ts';

type AppConfig = {
  configShape: SettingsShape;
  loadConfig: (env: Readonly<Record<string, string | undefined>>) => unknown;
};

/** A valid value in place of secrets that are generated later. */
const placeholder = { databaseUrl: 'postgresql://localhost/eas', encryptionKey: Buffer.alloc(32).toString('base64') };

/**
 * Gives the variables that the service reads. Throws one SettingsError with all that is wrong in any app, by its own
 * config.ts; a shared setting is named once.
 */
export async function checkSettings(config: Config): Promise<string[]> {
  const variables = new Set(variablesOf(configShape));
  const wrong = new Map<string, WrongSetting>();
  for (const { name, env } of planSystem(config, placeholder).apps) {
    // Found by its path, like the main.ts that is run later: apps do not import each other.
    const { loadConfig, configShape: shape } = (await import(
      join(config.root, 'apps', name, 'src/config.ts')
    )) as AppConfig;
    variablesOf(shape).forEach((variable) => variables.add(variable));
    try {
      loadConfig(withSettings(config.inheritedEnv, env));
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      for (const one of error.wrong) wrong.set(one.variable, one);
    }
  }
  if (wrong.size > 0) throw new SettingsError([...wrong.values()]);
  return [...variables];
}

const variablesOf = (shape: SettingsShape): string[] => listSettings(shape).map(({ variable }) => variable);
