import type { Command } from 'commander';
import { forgetAccount, keepAccount, serviceUrl } from '../../account/account.ts';
import { keyIn, readKey } from '../../key/read-key.ts';
import { CliError, exitCodes } from '../cli-error.ts';
import { type Context, contextOf, type World } from '../context.ts';
import { askSecret } from '../ask.ts';
import { openClient } from '../client.ts';

export function addLogin(program: Command, world: World): void {
  program
    .command('login')
    .description('keeps the API key of a service, and uses this service from now on')
    .argument('[url]', 'address of the service (default: the one on this machine)')
    .action(async (given: string | undefined, _: object, command: Command) => {
      const context = contextOf(command, world);
      const url = serviceUrl({ url: given ?? context.options.url }, world.env);
      const apiKey = await keyFor(url, context);
      const name = await whoIs(url, apiKey);
      const place = await keepAccount({ url, apiKey }, world.env);
      context.output.show({ url, key: place }, () => [`Logged in to ${url}${name}. The key is kept in ${place}.`]);
    });
  program
    .command('logout')
    .description('removes the kept API key of a service')
    .argument('[url]', 'address of the service (default: the one in use)')
    .action(async (given: string | undefined, _: object, command: Command) => {
      const { options, output } = contextOf(command, world);
      const url = serviceUrl({ url: given ?? options.url }, world.env);
      if (!(await forgetAccount(url, world.env))) throw new CliError(`No key of ${url} is kept.`, exitCodes.notFound);
      output.show({ url }, () => [`Logged out of ${url}.`]);
    });
}

/** From a file, a descriptor or the environment; else piped in, of the local system, or typed. */
async function keyFor(url: string, { options, env, isTerminal, readInput }: Context): Promise<string> {
  const isGiven = options.keyFile !== undefined || options.keyFd !== undefined || env['API_KEY'] !== undefined;
  const piped = isGiven || isTerminal ? '' : (await readInput()).trim();
  const found = piped === '' ? readKey({ file: options.keyFile, fd: options.keyFd, url, env }) : keyIn(piped);
  const key = 'refusal' in found && isTerminal && !isGiven ? keyIn(await askSecret(`API key for ${url}`)) : found;
  if ('key' in key) return key.key;
  throw new CliError(key.refusal, exitCodes.usage);
}

/** Throws when the service does not take the key. Keys of agents say whose they are. */
async function whoIs(url: string, apiKey: string): Promise<string> {
  const agent = await openClient({ url, apiKey }).ownAgent();
  return agent ? ` as ${agent.name} (${agent.id})` : '';
}
