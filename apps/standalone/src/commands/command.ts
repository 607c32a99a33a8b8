import type { Config } from '../config.ts';

/** An operator command: `npm run cmd <name> …`. */
export type Command = {
  /** What follows the name. */
  usage: string;
  about: string;
  run(args: string[], config: Config): Promise<void>;
};
