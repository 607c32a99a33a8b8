// Keeps one stand-in app alive; a test kills it and checks the result for the app.
import { join } from 'node:path';
import { supervisedVariable } from '@eas/runtime';
import { keepAlive } from '../../src/supervision/keep-alive.ts';
import { spawnApp } from '../../src/supervision/spawn-app.ts';

keepAlive({
  name: 'stand-in',
  start: async () =>
    spawnApp({
      file: join(import.meta.dirname, 'stand-in.app.ts'),
      cwd: import.meta.dirname,
      env: { ...process.env, [supervisedVariable]: 'true' },
      logFile: '/dev/null',
      onAlert: (line) => process.stdout.write(`${line}\n`),
    }),
  onDeath: ({ reason }) => process.stdout.write(`${JSON.stringify({ death: reason })}\n`),
});
