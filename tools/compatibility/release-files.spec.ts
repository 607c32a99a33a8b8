import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { refusalOf, writeReleaseFiles } from './release-files.ts';

let folder = '';
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'eas-release-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const filesOf = (version: string, text: string) => ({
  [join(folder, `stored-v${version}.json`)]: text,
  [join(folder, `examples-v${version}.json`)]: text,
});

describe('files of a release', () => {
  it('are refused when that version stored others, tagged or not', () => {
    writeReleaseFiles(filesOf('1.0.0', 'before'), []);
    expect(refusalOf('v1.0.0', filesOf('1.0.0', 'after'), false)).toMatch(
      /stored-v1\.0\.0\.json is stored already and would change: raise "version" in package\.json first\.$/,
    );
    expect(refusalOf('v1.0.0', filesOf('1.0.0', 'before'), false)).toBeUndefined();
    expect(refusalOf('v1.0.0', filesOf('1.0.0', 'before'), true)).toMatch(/^v1\.0\.0 is released already/);
  });

  it('take the place of those of older versions when the version was raised', () => {
    const old = filesOf('1.0.0', 'before');
    writeReleaseFiles(old, []);
    const files = filesOf('1.1.0', 'after');
    expect(refusalOf('v1.1.0', files, false)).toBeUndefined();
    writeReleaseFiles(files, Object.keys(old));
    expect(readdirSync(folder).sort()).toEqual(['examples-v1.1.0.json', 'stored-v1.1.0.json']);
    expect(readFileSync(join(folder, 'stored-v1.1.0.json'), 'utf8')).toBe('after');
  });
});
