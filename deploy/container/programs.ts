import { appNames } from '../../apps/standalone/src/apps.ts';

export { appNames } from '../../apps/standalone/src/apps.ts';

export const commandsFile = 'apps/standalone/src/commands/cmd.ts';

/** What the image can run, by name: a file and its first arguments. */
export const programs: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(appNames.map((app) => [app, [`apps/${app}/src/main.ts`]])),
  migrate: [commandsFile, 'db:migrate'],
  seed: [commandsFile, 'db:seed'],
  cmd: [commandsFile],
};
