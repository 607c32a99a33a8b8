// Kinds of tests, by their suffix: tools/test.ts runs unit, int and e2e, and release only where it is asked for.
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

// The database of the int and e2e tests: default exports of these two files.
const testing = join(import.meta.dirname, 'libs/shared/testing/src');
const setup = join(testing, 'jest/global-setup.ts');
const teardown = join(testing, 'jest/global-teardown.ts');
const seed = join(testing, 'jest/seed.ts');
const idleConnections = join(testing, 'jest/idle-connections.ts');
const secretWatch = join(testing, 'jest/secret-watch-setup.ts');

// Random tests are repeated more often.
const isLongForm = process.env.TEST_FORM === 'long';

const shared = {
  rootDir: import.meta.dirname,
  // Not in the folder of a run: it keeps how long each file took, so that long ones begin first.
  cacheDirectory: join(import.meta.dirname, 'node_modules/.cache/jest'),
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/tools', '<rootDir>/bench', '<rootDir>/deploy'],
  runtime: join(testing, 'jest/shared-modules-runtime.ts'),
  testEnvironment: join(testing, 'jest/shared-environment.ts'),
  testEnvironmentOptions: { suiteLimitMs: isLongForm ? 2_400_000 : 1_200_000 },
  setupFilesAfterEnv: [seed, idleConnections],
  transform: {},
  extensionsToTreatAsEsm: ['.ts'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/tools/canary/'],
  modulePathIgnorePatterns: [
    '<rootDir>/.data',
    '<rootDir>/dist',
    '<rootDir>/tmp',
    '<rootDir>/tools/contract/(tmp|node_modules)',
    '<rootDir>/bench/peers/node_modules',
  ],
};
const withDatabase = { globalSetup: setup, globalTeardown: teardown };

export default {
  // For hangs alone: a machine that is busy with something else may take ten times as long as one that is not.
  testTimeout: isLongForm ? 1_200_000 : 300_000,
  // More than there are cores: whole systems and receivers are often waited for.
  maxWorkers: Math.min(availableParallelism() + 2, 6),
  // Files share what they load, so a worker stays; one that has grown over this makes room for a new one. Never in the main
  // process: a suite that hangs is ended with its process.
  workerIdleMemoryLimit: '2GB',
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['**/*.spec.ts'],
      testPathIgnorePatterns: [...shared.testPathIgnorePatterns, '\\.(int|e2e|release)\\.spec\\.ts$'],
    },
    { ...shared, ...withDatabase, displayName: 'int', testMatch: ['**/*.int.spec.ts'] },
    ...['e2e', 'release'].map((kind) => ({
      ...shared,
      ...withDatabase,
      displayName: kind,
      testMatch: [`**/*.${kind}.spec.ts`],
      setupFilesAfterEnv: [seed, idleConnections, secretWatch],
    })),
  ],
};
