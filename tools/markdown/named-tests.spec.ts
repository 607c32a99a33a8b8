import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { namedTestsOf } from './named-tests.ts';

const page = resolve(import.meta.dirname, '../../docs/operate/threat-model.md');

describe('the tests that a page names', () => {
  it('are read with their files', () => {
    expect(namedTestsOf('see [a](../a.spec.ts) "is so", "and so"; [b](b.spec.ts)')).toEqual([
      { file: '../a.spec.ts', title: 'is so' },
      { file: '../a.spec.ts', title: 'and so' },
    ]);
  });

  it('exist, those of the threat model', () => {
    const named = namedTestsOf(readFileSync(page, 'utf8'));
    expect(named.length).toBeGreaterThan(20);
    const missing = named.filter(({ file, title }) => {
      const path = resolve(dirname(page), file);
      return !existsSync(path) || !readFileSync(path, 'utf8').includes(`'${title}'`);
    });
    expect(missing).toEqual([]);
  });
});
