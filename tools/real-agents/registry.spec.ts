import { describe, expect, it } from '@jest/globals';
import { compareWithRegistry } from './registry.ts';

const pin = (name: string, version: string) => ({ name, version, integrity: 'sha512-x' });
const textOf = (...agents: object[]) => JSON.stringify({ version: '1.0.0', agents, extensions: [] });
const byNpm = (id: string, npm: string) => ({
  id,
  version: '9.9.9',
  distribution: { npx: { package: npm, args: [] } },
});
const binary = (id: string, version: string) => ({ id, version, distribution: { binary: {} } });

describe('the registry', () => {
  it.each([
    ['a newer release of the same package', [byNpm('gemini-cli', '@google/gemini@1.10.0')], '1.10.0'],
    ['an older one', [byNpm('gemini', '@google/gemini@1.8.9')], undefined],
    ['the same', [byNpm('gemini', '@google/gemini@1.9.0')], undefined],
    ['another package of that id', [byNpm('gemini', '@others/gemini@2.0.0')], undefined],
    ['a program to download of that id', [binary('gemini', '2.0.0')], '2.0.0'],
    ['a version that is no release', [binary('gemini', '2.0.0-rc.1')], undefined],
    ['nothing of it', [binary('another', '2.0.0')], undefined],
  ])('with %s', (_, agents, newer) => {
    const [compared] = compareWithRegistry(textOf(...agents), { gemini: pin('@google/gemini', '1.9.0') });
    expect(compared?.newer).toBe(newer);
    expect(compared?.why).not.toBe('');
  });

  it('of another shape is refused', () => {
    expect(() => compareWithRegistry('{"agents":[{"id":1}]}', {})).toThrow();
  });
});
