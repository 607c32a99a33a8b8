import { Command } from 'commander';
import { addStartOptions, type Config, readConfig, type Refusal } from './config.ts';

/** What `eas agent start` reads from its command line. */
export function loadConfig(args: readonly string[], env: Config['env']): Config | Refusal {
  const command = addStartOptions(new Command().argument('[preset]'));
  command.exitOverride().parse([...args], { from: 'user' });
  const account = { url: 'http://127.0.0.1:3000', apiKey: 'of_the_account' };
  return readConfig({ ...command.opts(), preset: command.args[0] }, account, env);
}
