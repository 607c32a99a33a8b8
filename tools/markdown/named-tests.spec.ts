import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { namedTestsOf, rowsWithoutTitle, sectionsWithoutTests } from './named-tests.ts';

const page = resolve(import.meta.dirname, '../../docs/operate/threat-model.md');

describe('the tests that a page names', () => {
  it('are read with their files', () => {
    expect(namedTestsOf('see [a](../a.spec.ts) "is so", "and so"; [b](b.spec.ts)')).toEqual([
      { file: '../a.spec.ts', title: 'is so' },
      { file: '../a.spec.ts', title: 'and so' },
    ]);
  });

  it('are missing in a row with a file alone, and in a section without any', () => {
    const good = '| a | b | [a](a.spec.ts) "is so"; [b](b.spec.ts) "and so" |';
    const bad = '| a | b | [a](a.spec.ts) "is so"; [b](b.spec.ts) |';
    expect(rowsWithoutTitle(`${good}\n${bad}\nsee [a](a.spec.ts)`)).toEqual([bad]);
    expect(sectionsWithoutTests(`# Page\n## First\ntext\n## Good\n${good}\n## Bad\ntext`)).toEqual(['Bad\ntext']);
  });

  it('are there for each threat of the threat model', () => {
    const markdown = readFileSync(page, 'utf8');
    expect(rowsWithoutTitle(markdown)).toEqual([]);
    expect(sectionsWithoutTests(markdown)).toEqual([]);
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
