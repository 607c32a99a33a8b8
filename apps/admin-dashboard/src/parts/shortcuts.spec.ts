import { describe, expect, it } from '@jest/globals';
import { findShortcut, type Shortcut } from './shortcuts.ts';

const make = (keys: string, label = keys): Shortcut => ({ keys, label, run: () => {} });
const all = [make('g a', 'Go to agents'), make('a', 'Approve'), make('j'), make('a', 'Approve the later one')];
const found = (before: string | undefined, key: string) => findShortcut(all, before, key).shortcut?.label;

describe('a key', () => {
  it('runs the shortcut that was registered last', () => {
    expect(found(undefined, 'a')).toBe('Approve the later one');
    expect(found(undefined, 'x')).toBeUndefined();
  });

  it('begins a sequence, during which no single key runs', () => {
    expect(findShortcut(all, undefined, 'g')).toEqual({ prefix: 'g' });
    expect(found('g', 'a')).toBe('Go to agents');
    expect(findShortcut(all, 'g', 'j')).toEqual({ shortcut: undefined });
    expect(findShortcut(all, 'g', 'g')).toEqual({ shortcut: undefined });
  });
});
