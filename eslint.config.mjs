// Run through Nx (`npm run check`, `nx run-many -t lint`): without its project graph the boundary rule says nothing.
import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';
import { boundaryRule } from './tools/eslint/boundaries.mjs';
import { onlyTxInTransaction } from './tools/eslint/only-tx-in-transaction.mjs';
import { restrictedImports, restrictedSyntax } from './tools/eslint/restrictions.mjs';

const SPECS = ['**/*.spec.ts', '**/*.fuzz.ts', '**/*.fixture.ts', 'apps/*/test/**/*.ts', 'libs/**/test/**/*.ts'];
const DATABASE_FILES = ['store', 'read-model', 'sweeper'].map((role) => `libs/*/src/**/*.${role}.ts`);
const TOOLS = ['tools/**/*.ts', 'bench/**/*.ts', 'deploy/**/*.ts', 'prisma/**/*.ts'];

/** A place with fewer restrictions than the rest. */
const place = (files, { imports = [], syntax = [], rules = {} }) => ({
  files,
  rules: {
    'no-restricted-imports': restrictedImports({ except: imports }),
    'no-restricted-syntax': restrictedSyntax({ except: syntax }),
    ...rules,
  },
});

export default tseslint.config(
  {
    ignores: [
      '**/node_modules/',
      'tools/contract/client/',
      '**/dist/',
      '**/generated/',
      '**/.data/',
      '**/coverage/',
      '**/tmp/',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.ts', '**/*.tsx'],
    plugins: {
      '@nx': nx,
      '@typescript-eslint': tseslint.plugin,
      eas: { rules: { 'only-tx-in-transaction': onlyTxInTransaction } },
    },
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: {
        project: ['./tsconfig.json', './apps/admin-dashboard/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@nx/enforce-module-boundaries': boundaryRule({ isSpec: false }),
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/only-throw-error': ['error', { allowThrowingUnknown: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      'eas/only-tx-in-transaction': 'error',
      eqeqeq: ['error', 'smart'],
      'max-lines': ['error', { max: 400 }],
      'max-lines-per-function': ['error', { max: 80 }],
      'no-console': 'error',
      'no-var': 'error',
      'prefer-const': 'error',
    },
  },
  // Everywhere outside features the database is reached through what @eas/db exports, so `.query(` is theirs to use.
  place(['**/*.ts', '**/*.tsx'], { syntax: ['database'] }),
  place(['apps/*/src/config.ts', 'apps/agent-runner/src/key/env.ts'], { syntax: ['database', 'processEnv'] }),
  place(['libs/*/src/**/*.ts'], {}),
  place(['apps/admin-dashboard/src/**/*.{ts,tsx}'], { imports: ['db'], syntax: ['database'] }),
  place(DATABASE_FILES, { syntax: ['database'] }),
  place(['libs/shared/db/**/*.ts'], { imports: ['db'], syntax: ['database'] }),
  place(['libs/shared/queue/**/*.ts'], { imports: ['queue'], syntax: ['database'] }),
  // Everything in the files of `http` is public: what clients and the service send each other.
  place(['libs/shared/contracts/src/index.ts'], { syntax: ['database', 'starExport'] }),
  place(['libs/shared/http/**/*.ts'], { imports: ['express'], syntax: ['database'] }),
  place(['libs/shared/egress/**/*.ts'], { imports: ['egress'], syntax: ['database'] }),
  place(['libs/shared/runtime/**/*.ts'], { syntax: ['database', 'processEnv'] }),
  place(['libs/shared/testing/**/*.ts'], { imports: ['db', 'queue', 'egress'], syntax: ['database', 'processEnv'] }),
  place(['libs/shared/testing/src/queue-back-end.ts'], { syntax: ['database', 'processEnv', 'queueBackEnd'] }),
  place(['libs/shared/testing/src/jest/*.ts'], {
    imports: ['db', 'queue', 'egress'],
    syntax: ['database', 'processEnv', 'defaultExport'],
    rules: { 'no-console': 'off' },
  }),
  place(TOOLS, {
    imports: ['db', 'queue', 'egress', 'express'],
    syntax: ['database', 'processEnv', 'queueBackEnd'],
    rules: { 'no-console': 'off' },
  }),
  place(SPECS, {
    imports: ['db', 'queue', 'egress', 'express'],
    syntax: ['database', 'processEnv'],
    rules: {
      '@nx/enforce-module-boundaries': boundaryRule({ isSpec: true }),
      'max-lines-per-function': 'off',
    },
  }),
  place(['*.config.ts', 'apps/*/*.config.ts'], { syntax: ['defaultExport', 'database', 'processEnv'] }),
);
