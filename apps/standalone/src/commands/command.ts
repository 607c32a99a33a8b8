import type { parseArgs } from 'node:util';
import { mintAgentKeyBody } from '@eas/contracts';
import { StartError } from '@eas/core';
import type { SettingsError } from '@eas/runtime';
import type { Config } from '../config.ts';

/** An option as `parseArgs` takes it, with what the help says. */
type CommandOption = { type: 'string' | 'boolean'; default?: string; about: string };
type CommandOptions = Readonly<Record<string, CommandOption>>;

/** `words`: what follows the name and is no option. */
type Input<O extends CommandOptions> = {
  values: ReturnType<typeof parseArgs<{ options: O }>>['values'];
  words: string[];
};

type CommandOf<O extends CommandOptions> = {
  /** What follows the name. */
  usage: string;
  about: string;
  options?: O;
  /** How many words may follow the name. Default: none. */
  maxWords?: number;
  /** Resolves to the exit code; without one it is 0. */
  run(input: Input<O>, config: Config): Promise<number | void>;
  /** What is done in place of `run` when a setting is wrong; gives the exit code. */
  onWrongSettings?(input: Input<O>, error: SettingsError): number;
};

/** An operator command: `npm run cmd <name> …`. Its options and words are checked before it runs. */
export type Command = CommandOf<CommandOptions>;

/** Gives `run` the types of its options. */
export const defineCommand = <const O extends CommandOptions>(command: CommandOf<O>): Command =>
  command as unknown as Command;

export const tenantOption = { type: 'string', default: 'default', about: 'slug of the tenant' } as const;
export const jsonOption = { type: 'boolean', about: 'prints JSON' } as const;

/** The rule of the API for names. Throws a StartError. */
export function readName(text: string): string {
  const { data } = mintAgentKeyBody.pick({ name: true }).safeParse({ name: text });
  if (!data) throw new StartError('The name must have 1 to 200 characters and no control characters.');
  return data.name;
}
