import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = resolve(import.meta.dirname, '..');
const declaration = /\b(?:setting|variable|perTenant|daysKept)\(\s*'([A-Z][A-Z_]+)'/g;

describe('settings', () => {
  it('are declared once, whatever processes read them', () => {
    const files = globSync('{apps,libs,bench}/**/src/**/*.ts', { cwd: root }).filter(
      (file) => !file.endsWith('.spec.ts'),
    );
    const declared = files.flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(declaration)].map(([, name]) => name),
    );
    expect(declared.length).toBeGreaterThan(60);
    expect(declared.filter((name, index) => declared.indexOf(name) < index)).toEqual([]);
  });
});
