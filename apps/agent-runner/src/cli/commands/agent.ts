import { Argument, type Command } from 'commander';
import { presetIds } from '../../presets/presets.ts';
import { addStartOptions, readConfig } from '../../config.ts';
import { CliError, exitCodes } from '../cli-error.ts';
import { contextOf, type World } from '../context.ts';
import { table } from '../output.ts';

const preset = () => new Argument('[preset]', 'coding agent').choices(presetIds);

export function addAgent(program: Command, world: World): void {
  const group = program.command('agent').description('agents that work: start, doctor, presets');
  const start = group
    .command('start')
    .description('claims tasks of a role and lets an agent work on each of them, until it is ended')
    .addArgument(preset());
  addStartOptions(start).action(async (id: string | undefined, _: object, command: Command) => {
    const { account, env } = contextOf(command, world);
    const config = readConfig({ ...command.opts(), preset: id }, await account(), env);
    if ('refusal' in config) throw new CliError(config.refusal, exitCodes.usage);
    const { startRunner } = await import('../../start/start-runner.ts');
    await startRunner(config, program.version() ?? '');
  });
  group
    .command('doctor')
    .description('says what is missing for an agent to work here')
    .addArgument(preset())
    .action(async (id: string | undefined, _: object, command: Command) => {
      const { account, env, output } = contextOf(command, world);
      const { examine } = await import('../../start/examine.ts');
      const findings = await examine(id, { account, env });
      output.show(findings, (all) => all.map(({ isGood, what }) => `${isGood ? 'ok     ' : 'missing'}  ${what}`));
      if (!findings.every(({ isGood, isNeeded }) => isGood || !isNeeded)) throw new CliError('', exitCodes.failed);
    });
  group
    .command('presets')
    .description('lists the coding agents that are known by name, and which of them are installed here')
    .option('--probe', 'also starts those that are, and says what is missing')
    .action(async ({ probe = false }: { probe?: boolean }, command: Command) => {
      const { env, output } = contextOf(command, world);
      const { listPresets } = await import('../../start/list-presets.ts');
      output.show(await listPresets({ env, probes: probe }), (all) =>
        table(
          ['preset', 'agent', 'program'],
          all.map(({ preset, title, path, version, problem }) => [
            preset,
            [title, version].filter(Boolean).join(' '),
            path === null ? 'not installed' : [path, problem && `(${problem})`].filter(Boolean).join(' '),
          ]),
          '',
        ),
      );
    });
}
