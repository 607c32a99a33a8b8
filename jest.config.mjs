// Three kinds of tests, told apart by suffix; `--selectProjects unit int e2e` picks them, tools/test.ts runs them all.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

// The database of the int and e2e tests: default exports of these two files.
const testing = join(import.meta.dirname, 'libs/shared/testing/src');
const setup = join(testing, 'jest-global-setup.ts');
const teardown = join(testing, 'jest-global-teardown.ts');
const seed = join(testing, 'jest-seed.ts');
const secretWatch = join(testing, 'jest-secret-watch.ts');

const shared = {
  rootDir: import.meta.dirname,
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/tools', '<rootDir>/bench'],
  testEnvironment: 'node',
  setupFiles: [seed],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2024' }, module: { type: 'es6' }, sourceMaps: 'inline' },
    ],
  },
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/tools/canary/'],
  modulePathIgnorePatterns: [
    '<rootDir>/.data',
    '<rootDir>/dist',
    '<rootDir>/tmp',
    '<rootDir>/tools/contract/(tmp|node_modules)',
    '<rootDir>/bench/peers/node_modules',
  ],
};
const withDatabase = {
  ...(existsSync(setup) ? { globalSetup: setup } : {}),
  ...(existsSync(teardown) ? { globalTeardown: teardown } : {}),
};

export default {
  // For hangs alone: a machine that is busy with something else may take ten times as long as one that is not.
  testTimeout: 300_000,
  maxWorkers: 2,
  // Modules of a file that has ended are not given back: a worker that has grown makes room for a new one.
  workerIdleMemoryLimit: '800MB',
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['**/*.spec.ts'],
      testPathIgnorePatterns: [...shared.testPathIgnorePatterns, '\\.(int|e2e)\\.spec\\.ts$'],
    },
    { ...shared, ...withDatabase, displayName: 'int', testMatch: ['**/*.int.spec.ts'] },
    {
      ...shared,
      ...withDatabase,
      displayName: 'e2e',
      testMatch: ['**/*.e2e.spec.ts'],
      setupFilesAfterEnv: [secretWatch],
    },
  ],
};
