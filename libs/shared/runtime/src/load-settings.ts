import { isSetting, type Setting, type Settings, type SettingsShape } from './setting.ts';

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
 * Reads the shape from the environment. An empty variable counts as unset. Throws a SettingsError with all invalid
 * settings.
 */
export function loadSettings<Shape extends SettingsShape>(
  shape: Shape,
  env: Readonly<Record<string, string | undefined>>,
): Settings<Shape> {
  const wrong = new Map<string, string>();
  const values = readShape(shape, env, wrong);
  if (wrong.size > 0) throw new SettingsError([...wrong].map(([variable, expected]) => ({ variable, expected })));
  return values as Settings<Shape>;
}

type Env = Readonly<Record<string, string | undefined>>;

function readShape(shape: SettingsShape, env: Env, wrong: Map<string, string>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(shape).map(([name, node]) => [
      name,
      isSetting(node) ? readLeaf(node, env, wrong) : readShape(node, env, wrong),
    ]),
  );
}

function readLeaf({ variable, schema }: Setting, env: Env, wrong: Map<string, string>): unknown {
  const text = env[variable]?.trim();
  const parsed = schema.safeParse(text === '' ? undefined : text);
  if (parsed.success) return parsed.data;
  const isMissing = text === undefined || text === '';
  const expected = parsed.error.issues[0]?.message ?? 'another value';
  wrong.set(variable, isMissing ? `a value: ${(schema.description ?? 'required').replace(/\.$/, '')}` : expected);
  return undefined;
}
