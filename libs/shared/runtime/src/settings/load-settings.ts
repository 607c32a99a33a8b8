import { isSetting, type Setting, type Settings, type SettingsShape } from './setting.ts';
import { type Env, readSettingText } from './setting-files.ts';

export type WrongSetting = { variable: string; expected: string };

/** Some settings are invalid. The message is one sentence that names each of them, without values. */
export class SettingsError extends Error {
  readonly wrong: readonly WrongSetting[];

  constructor(wrong: readonly WrongSetting[]) {
    const list = wrong.map(({ variable, expected }) => `${variable} (expected ${expected})`).join(', ');
    super(`Invalid ${wrong.length === 1 ? 'setting' : 'settings'}: ${list}.`);
    this.name = 'SettingsError';
    this.wrong = wrong;
  }
}

/**
 * Reads the shape from the environment, and from the files that variables such as `DATABASE_URL_FILE` name. An empty
 * variable counts as unset. Throws a SettingsError with all invalid settings.
 */
export function loadSettings<Shape extends SettingsShape>(shape: Shape, env: Env): Settings<Shape> {
  const wrong = new Map<string, string>();
  const values = readShape(shape, env, wrong);
  if (wrong.size > 0) throw new SettingsError([...wrong].map(([variable, expected]) => ({ variable, expected })));
  return values as Settings<Shape>;
}

function readShape(shape: SettingsShape, env: Env, wrong: Map<string, string>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(shape).map(([name, node]) => [
      name,
      isSetting(node) ? readLeaf(node, env, wrong) : readShape(node, env, wrong),
    ]),
  );
}

function readLeaf({ variable, schema }: Setting, env: Env, wrong: Map<string, string>): unknown {
  const { text, expected, variable: named } = readSettingText(env, variable);
  if (expected !== undefined) return void wrong.set(named, expected);
  const parsed = schema.safeParse(text);
  if (parsed.success) return parsed.data;
  const missing = `a value: ${(schema.description ?? 'required').replace(/\.$/, '')}`;
  wrong.set(named, text === undefined ? missing : (parsed.error.issues[0]?.message ?? 'another value'));
  return undefined;
}
