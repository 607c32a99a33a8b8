import { readFileSync, statSync } from 'node:fs';
import { listSettings, type SettingsShape } from './setting.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/** Names a file that has the value of a setting, such as a mounted Secret, in place of the value. */
export const fileVariable = (variable: string): string => `${variable}_FILE`;

/** As much as an environment variable can have. */
const maxBytes = 131_072;

/** A setting has a value or a file. */
export const isSet = (env: Env, variable: string): boolean =>
  Boolean(env[variable]?.trim() || env[fileVariable(variable)]?.trim());

/** An environment in which these values replace others and their files. */
export function withSettings<E extends Env>(env: E, values: Readonly<Record<string, string>>): Env {
  const replaced = new Set(Object.keys(values).map(fileVariable));
  return { ...Object.fromEntries(Object.entries(env).filter(([name]) => !replaced.has(name))), ...values };
}

/** The text of a setting, from `variable`; undefined when it is unset or empty. `expected`: what is wrong with a file. */
export type SettingText = { variable: string; text?: string | undefined; expected?: string };

export function readSettingText(env: Env, variable: string): SettingText {
  const text = env[variable]?.trim() || undefined;
  const path = env[fileVariable(variable)]?.trim();
  if (!path) return { variable, text };
  const named = fileVariable(variable);
  if (text !== undefined) return { variable: named, expected: `no value, because ${variable} has one` };
  const file = readSettingFile(path);
  return 'problem' in file ? { variable: named, expected: file.problem } : { variable: named, text: file.text };
}

type Read = { text: string } | { problem: string };

function readSettingFile(path: string): Read {
  try {
    const found = statSync(path);
    if (!found.isFile() || found.size > maxBytes) return { problem: `a file of at most ${maxBytes} bytes` };
    const text = readFileSync(path, 'utf8').trim();
    return text === '' ? { problem: 'a file that is not empty' } : { text };
  } catch (error) {
    return { problem: `a file that can be read (${(error as NodeJS.ErrnoException).code})` };
  }
}

/** What the files of a shape's settings have now; empty: no setting has a file. */
export function settingFileContents(shape: SettingsShape, env: Env): string {
  const paths = listSettings(shape).flatMap(({ variable }) => env[fileVariable(variable)]?.trim() || []);
  return paths.length === 0 ? '' : JSON.stringify(paths.map(readSettingFile));
}
