import type { z } from 'zod';

/** How much of a value may be shown: all of it, an address without its password, or whether it is set. */
export type Visibility = 'shown' | 'without_password' | 'secret';

/** One environment variable: its name and the described schema of its text. */
export type Setting<S extends z.ZodType = z.ZodType> = {
  readonly variable: string;
  readonly schema: S;
  readonly visibility: Visibility;
};

/** Settings in the shape in which the code reads them; leaves are variables. */
export type SettingsShape = { readonly [name: string]: Setting | SettingsShape };

export type Settings<Shape extends SettingsShape> = {
  readonly [K in keyof Shape]: Shape[K] extends Setting<infer S>
    ? z.output<S>
    : Shape[K] extends SettingsShape
      ? Settings<Shape[K]>
      : never;
};

/** Declares a leaf. The schema gets the variable's text, or undefined when it is unset or empty; it must be described. */
export function setting<S extends z.ZodType>(
  variable: string,
  schema: S,
  visibility: Visibility = 'shown',
): Setting<S> {
  return { variable, schema, visibility };
}

/** Declares a variable that processes read with a default and a meaning of their own: each says what it makes of it. */
export function variable<T extends z.ZodType>(name: string, type: T, visibility?: Visibility) {
  return <S extends z.ZodType>(read: (type: T) => S): Setting<S> => setting(name, read(type), visibility);
}

export function isSetting(node: Setting | SettingsShape): node is Setting {
  return typeof node['variable'] === 'string';
}

/** All leaves of a shape in order; for the printed reference. */
export function listSettings(shape: SettingsShape): Setting[] {
  return Object.values(shape).flatMap((node) => (isSetting(node) ? [node] : listSettings(node)));
}
