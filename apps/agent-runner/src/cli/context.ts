import type { Command } from 'commander';
import { type Account, type AccountOptions, findAccount } from '../account/account.ts';
import { CliError, exitCodes } from './cli-error.ts';
import { createOutput, type Output } from './output.ts';
import { openClient, type Client } from './client.ts';
import type { Env } from '../key/env.ts';

/** The environment of the commands. */
export type World = {
  env: Env;
  write(text: string): void;
  /** To stderr: messages for the person. */
  writeErr(text: string): void;
  /** Whether it is interactive. */
  isTerminal: boolean;
  /** The whole standard input. */
  readInput(): Promise<string>;
};

type GlobalOptions = AccountOptions & { json?: boolean };

export type Context = World & {
  options: GlobalOptions;
  output: Output;
  account(): Promise<Account>;
  /** Asked for once by a command: a descriptor gives its key once. */
  client(): Promise<Client>;
};

/** What a command needs, by its own options and those of `eas`. */
export function contextOf(command: Command, world: World): Context {
  const options = command.optsWithGlobals<GlobalOptions>();
  const { write, writeErr, env } = world;
  const account = () =>
    findAccount(options, env).catch((error: Error) => {
      throw new CliError(error.message, exitCodes.notAllowed);
    });
  return {
    ...world,
    options,
    output: createOutput({
      isJson: options.json ?? false,
      write: (text) => write(text),
      writeErr: (text) => writeErr(text),
    }),
    account,
    client: async () => openClient(await account()),
  };
}
