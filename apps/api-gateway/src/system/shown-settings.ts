import type { SystemState } from '@eas/contracts';
import { withoutPassword } from '@eas/core';
import { isSetting, type Setting, type SettingsShape } from '@eas/runtime';

export type ShownSetting = SystemState['settings'][number];

/** The settings by name, as they are in force; secret ones without their value. `values` are what the shape was read into. */
export function showSettings(shape: SettingsShape, values: object): ShownSetting[] {
  return [...listShown(shape, values as Record<string, unknown>)].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function listShown(shape: SettingsShape, values: Record<string, unknown>): ShownSetting[] {
  return Object.entries(shape).flatMap(([name, node]) =>
    isSetting(node)
      ? [showSetting(node, values[name])]
      : listShown(node, (values[name] ?? {}) as Record<string, unknown>),
  );
}

function showSetting({ variable, schema, visibility }: Setting, value: unknown): ShownSetting {
  const text = textOf(value);
  const unset = schema.safeParse(undefined);
  return {
    name: variable,
    description: schema.description ?? '',
    value: text === null || visibility === 'secret' ? null : shownText(text, visibility),
    is_set: text !== null,
    is_default: unset.success && textOf(unset.data) === text,
    is_secret: visibility === 'secret',
  };
}

function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return Array.isArray(value) ? value.join(',') : typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Any address can have a user and a password. */
const shownText = (text: string, visibility: Setting['visibility']): string =>
  visibility === 'without_password' ? withoutPassword(text) : text.replaceAll(/(:\/\/)[^/?#,\s]*@/g, '$1');
