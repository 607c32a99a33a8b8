import { describe, expect, it } from '@jest/globals';
import { lockGaps, registryEntries, withEntries } from './lock-gaps.ts';

const packages = {
  '': {},
  'node_modules/swc': { dev: true, optionalDependencies: { '@swc/darwin-arm64': '1.2.3', '@swc/linux-x64': '1.2.3' } },
  'node_modules/swc/node_modules/@swc/linux-x64': { version: '1.2.3' },
};

describe('lockGaps', () => {
  it('finds an optional package that is listed nowhere', () => {
    expect(lockGaps(packages)).toEqual([
      { name: '@swc/darwin-arm64', version: '1.2.3', wantedBy: 'node_modules/swc', isDev: true },
    ]);
  });

  it('finds nothing once the entry is there', () => {
    const full = withEntries(packages, lockGaps(packages));
    expect(full['node_modules/@swc/darwin-arm64']).toEqual({
      version: '1.2.3',
      cpu: ['arm64'],
      dev: true,
      optional: true,
      os: ['darwin'],
    });
    expect(lockGaps(full)).toEqual([]);
  });
});

describe('registryEntries', () => {
  it('finds packages whose entry names a registry, and no link inside the workspace', () => {
    const entries = {
      'node_modules/a': { version: '1.0.0', resolved: 'https://registry.example.com/a/-/a-1.0.0.tgz' },
      'node_modules/b': { version: '1.0.0' },
      'node_modules/@eas/c': { resolved: 'libs/c' },
    };
    expect(registryEntries(entries)).toEqual(['node_modules/a']);
  });
});
