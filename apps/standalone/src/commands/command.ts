import type { Config } from '../config.ts';

/** An option as `parseArgs` takes it, with what the help says. */
export type CommandOption = { type: 'string' | 'boolean'; default?: string; about: string };

/** An operator command: `npm run cmd <name> …`. */
export type Command = {
  /** What follows the name. */
  usage: string;
  about: string;
  options?: Readonly<Record<string, CommandOption>>;
  /** Resolves to the exit code; without one it is 0. */
  run(args: string[], config: Config): Promise<number | void>;
};

export const tenantOption = { type: 'string', default: 'default', about: 'slug of the tenant' } as const;
export const jsonOption = { type: 'boolean', about: 'prints JSON' } as const;
