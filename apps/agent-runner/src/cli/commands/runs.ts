import type { Command } from 'commander';
import { z } from 'zod';
import { CliError, exitCodes } from '../cli-error.ts';
import { type Context, contextOf, type World } from '../context.ts';
import { fields, oneLine, plain, table } from '../output.ts';
import { workflows } from '../../api/named.ts';
import { pathOf } from '../client.ts';
import { findNamed } from '../find-named.ts';

const run = z.looseObject({
  workflow_run_id: z.string(),
  name: z.string(),
  workflow_id: z.string(),
  status: z.string(),
});
const step = z.looseObject({
  name: z.string(),
  role: z.string(),
  status: z.string(),
  assignee: z.string().nullish(),
  task_id: z.string().nullish(),
  reason: z.string().nullish(),
});
const detail = run.extend({
  started_at: z.string(),
  estimated_completion: z.string().nullish(),
  finished_at: z.string().nullish(),
  paused_at: z.string().nullish(),
  steps: z.array(step),
});

export function addRuns(program: Command, world: World): void {
  const group = program.command('run').description('runs of workflows: start, show');
  group
    .command('start')
    .description('starts a run of a workflow')
    .argument('<workflow>', 'id or name')
    .option('-n, --name <name>', 'name of the run (default: the workflow)')
    .option(
      '-p, --param <name=value>',
      'parameter; a value that is JSON is taken as such; can be repeated',
      collect,
      {},
    )
    .action((workflow: string, _: object, command: Command) =>
      start(workflow, contextOf(command, world), command.opts()),
    );
  group
    .command('show')
    .description('shows a run and its steps')
    .argument('<id>')
    .action(async (id: string, _: object, command: Command) => {
      const { output, client } = contextOf(command, world);
      output.show(await (await client()).get(pathOf('runs', id), detail), linesOf);
    });
}

function collect(given: string, before: Record<string, unknown>): Record<string, unknown> {
  const at = given.indexOf('=');
  if (at < 1) throw new CliError(`--param ${given} must be NAME=VALUE.`, exitCodes.usage);
  return { ...before, [given.slice(0, at)]: valueOf(given.slice(at + 1)) };
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

type StartOptions = { name?: string; param: Record<string, unknown> };

async function start(workflow: string, context: Context, { name, param }: StartOptions): Promise<void> {
  const client = await context.client();
  const path = `/v1/workflows/${await findNamed(client, workflows, workflow)}/start`;
  const made = await client.post(path, { name: name ?? workflow, parameters: param }, run);
  context.output.show(made, ({ workflow_run_id: id }) => [id]);
}

function linesOf({ steps, ...shown }: z.output<typeof detail>): string[] {
  return [
    plain(shown.name),
    ...fields({
      id: shown.workflow_run_id,
      status: shown.status,
      paused: shown.paused_at && `since ${shown.paused_at}`,
      workflow: shown.workflow_id,
      started: shown.started_at,
      finished: shown.finished_at,
      expected: shown.finished_at ? undefined : shown.estimated_completion,
    }),
    '',
    ...table(
      ['step', 'role', 'status', 'task', 'reason'],
      steps.map((one) => [
        oneLine(one.name, 40),
        one.role,
        one.status,
        one.task_id ?? '',
        oneLine(one.reason ?? '', 60),
      ]),
      'No steps.',
    ),
  ];
}
