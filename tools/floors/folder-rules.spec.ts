import { describe, expect, it } from '@jest/globals';
import { arrowsBetween, floorFindings, foldersOf, knotFindings } from './folder-rules.ts';

const imports = (...pairs: string[]) =>
  pairs.map((pair) => {
    const [from = '', to = ''] = pair.split(' > ');
    return { from: `libs/pond/src/${from}`, to: `libs/pond/src/${to}` };
  });
const knots = (...pairs: string[]) => knotFindings(arrowsBetween(imports(...pairs))).map((line) => line.split('\n')[0]);

describe('knotFindings', () => {
  it('accepts folders whose arrows lead one way', () => {
    expect(knots('frogs/frog.ts > eggs/egg.ts', 'frogs/pair.ts > eggs/spawn.ts', 'eggs/egg.ts > water.ts')).toEqual([]);
  });

  it('finds two folders that import each other, though no file does', () => {
    expect(knots('frogs/frog.ts > eggs/egg.ts', 'eggs/spawn.ts > frogs/pair.ts')).toEqual([
      'folders in a cycle: libs/pond/src/eggs, libs/pond/src/frogs',
    ]);
  });

  it('takes a folder and the one around it for two', () => {
    expect(knots('frogs/frog.ts > frogs/legs/leg.ts', 'frogs/legs/leg.ts > frogs/skin.ts')).toEqual([
      'folders in a cycle: libs/pond/src/frogs, libs/pond/src/frogs/legs',
    ]);
  });

  it('finds a cycle over several folders once, and two cycles one by one', () => {
    expect(
      knots('a/1.ts > b/1.ts', 'b/2.ts > c/1.ts', 'c/2.ts > a/2.ts', 'd/1.ts > e/1.ts', 'e/2.ts > d/2.ts'),
    ).toEqual([
      'folders in a cycle: libs/pond/src/a, libs/pond/src/b, libs/pond/src/c',
      'folders in a cycle: libs/pond/src/d, libs/pond/src/e',
    ]);
  });

  it('leaves out doors, specs and fixtures', () => {
    expect(
      knots(
        'eggs/egg.ts > water.ts',
        'index.ts > eggs/egg.ts',
        'main.ts > eggs/egg.ts',
        'pond.spec.ts > eggs/egg.ts',
        'pond.fixture.ts > eggs/egg.ts',
      ),
    ).toEqual([]);
  });

  it('names an import for each arrow of a cycle', () => {
    const [finding] = knotFindings(arrowsBetween(imports('a/1.ts > b/1.ts', 'b/2.ts > a/2.ts')));
    expect(finding).toContain('libs/pond/src/a/1.ts → libs/pond/src/b/1.ts');
    expect(finding).toContain('libs/pond/src/b/2.ts → libs/pond/src/a/2.ts');
  });
});

describe('foldersOf', () => {
  it('names the folders of code once, not one that has only a door or specs', () => {
    const files = ['src/index.ts', 'src/eggs/egg.ts', 'src/eggs/spawn.ts', 'test/pond.spec.ts'];
    expect(foldersOf(files.map((file) => `libs/pond/${file}`))).toEqual(['libs/pond/src/eggs']);
  });
});

describe('floorFindings', () => {
  const folders = ['', '/frogs', '/frogs/legs', '/frogs/legs/feet', '/eggs'].map((folder) => `libs/pond/src${folder}`);
  const floors = [['frogs'], ['frogs/legs', 'eggs'], ['.']];
  const found = (table: Parameters<typeof floorFindings>[1], ...pairs: string[]) =>
    floorFindings('libs/pond/src', table, folders, arrowsBetween(imports(...pairs))).map((line) => line.split('\n')[0]);

  it('accepts arrows that lead down, over any number of floors', () => {
    expect(
      found({ floors }, 'frogs/frog.ts > eggs/egg.ts', 'frogs/frog.ts > water.ts', 'eggs/egg.ts > water.ts'),
    ).toEqual([]);
  });

  it('refuses an arrow upward', () => {
    expect(found({ floors }, 'eggs/egg.ts > frogs/frog.ts')).toEqual(['libs/pond/src: eggs > frogs leads upward']);
  });

  it('refuses an arrow to the same floor unless it is named', () => {
    const pair = 'frogs/legs/leg.ts > eggs/egg.ts';
    expect(found({ floors }, pair)).toEqual(['libs/pond/src: frogs/legs > eggs leads to the same floor']);
    expect(found({ floors, across: ['frogs/legs > eggs'] }, pair)).toEqual([]);
  });

  it('goes by the longest entry that a path begins with', () => {
    expect(found({ floors }, 'frogs/legs/feet/toe.ts > frogs/frog.ts')).toEqual([
      'libs/pond/src: frogs/legs > frogs leads upward',
    ]);
  });

  it('refuses a folder without a floor, and entries that stand for nothing', () => {
    expect(found({ floors: [['frogs', 'toads'], ['.']], across: ['frogs > eggs'] })).toEqual([
      'libs/pond/src/eggs stands on no floor',
      'libs/pond/src: there is no folder toads',
      'libs/pond/src: there is no arrow frogs > eggs',
    ]);
  });

  it('leaves out what goes to other projects', () => {
    const arrows = arrowsBetween([{ from: 'libs/pond/src/eggs/egg.ts', to: 'libs/lake/src/frogs/frog.ts' }]);
    expect(floorFindings('libs/pond/src', { floors }, folders, arrows)).toEqual([]);
  });
});
