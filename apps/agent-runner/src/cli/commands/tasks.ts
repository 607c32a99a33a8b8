import { type Command, Option } from 'commander';
import { taskPriorities, taskStatuses } from '@eas/contracts';
import { z } from 'zod';
import { projects } from '../../api/named.ts';
import { CliError, exitCodes } from '../cli-error.ts';
import { type Context, contextOf, type World } from '../context.ts';
import { fields, oneLine, plain, table } from '../output.ts';
import { type Client, pathOf, withQuery } from '../client.ts';
import { findNamed } from '../find-named.ts';
import { watchTask } from '../watch-task.ts';

const task = z.looseObject({
  id: z.string(),
  title: z.string(),
  status: z.string(),
  priority: z.string(),
  assigned_role: z.string().nullish(),
  assigned_agent: z.string().nullish(),
});
const tasks = z.looseObject({ data: z.array(task) });
const detail = task.extend({
  description: z.string(),
  project: z.string().nullish(),
  summary: z.string().nullish(),
  waiting_on: z.looseObject({ kind: z.string(), id: z.string().nullish() }).nullish(),
  progress: z.looseObject({ percent_complete: z.number() }).optional(),
  artifacts: z
    .array(z.looseObject({ kind: z.string(), title: z.string().nullish(), url: z.string().nullish() }))
    .default([]),
});
type Detail = z.output<typeof detail>;

const pageSize = 20;
const wordsOf = (value: string, before: string[] = []) => [...before, value];

export function addTasks(program: Command, world: World): void {
  const group = program.command('task').description('tasks: create, list, show, watch');
  group
    .command('create')
    .description('creates a task')
    .argument('<title>')
    .option('-d, --description <text>', 'what is to be done; - reads it from standard input (default: the title)')
    .option('-r, --role <role>', 'role that works on it, such as rd')
    .option('-p, --project <id or name>', 'project whose repositories it is about')
    .addOption(new Option('--priority <priority>', 'how urgent it is').choices(taskPriorities))
    .option('-t, --tag <tag>', 'label; can be repeated', wordsOf)
    .option('-w, --watch', 'follow it until it ends')
    .action((title: string, _: object, command: Command) => create(title, contextOf(command, world), command.opts()));
  group
    .command('list')
    .description('lists tasks, newest first')
    .addOption(new Option('-s, --status <status>', 'only tasks in this state').choices(taskStatuses))
    .option('-r, --role <role>', 'only tasks of this role')
    .option('-p, --project <id or name>', 'only tasks of this project')
    .option('-n, --limit <n>', `number of tasks, 1-100 (default: ${pageSize})`)
    .action((_: object, command: Command) => list(contextOf(command, world), command.opts()));
  group
    .command('show')
    .description('shows a task')
    .argument('<id>')
    .action(async (id: string, _: object, command: Command) => {
      const { output, client } = contextOf(command, world);
      output.show(await (await client()).get(pathOf('tasks', id), detail), linesOf);
    });
  group
    .command('watch')
    .description('follows a task until it ends; the exit code is 0 when it is completed')
    .argument('<id>')
    .action(async (id: string, _: object, command: Command) => {
      const context = contextOf(command, world);
      await watch(await context.client(), id, context);
    });
}

type CreateOptions = {
  description?: string;
  role?: string;
  project?: string;
  priority?: string;
  tag?: string[];
  watch?: boolean;
};

async function create(title: string, context: Context, options: CreateOptions): Promise<void> {
  const { role, priority, tag, description = title } = options;
  const client = await context.client();
  const body = {
    title,
    description: description === '-' ? await context.readInput() : description,
    ...(role === undefined ? {} : { assigned_role: role }),
    ...(priority === undefined ? {} : { priority }),
    ...(tag === undefined ? {} : { tags: tag }),
    ...(options.project === undefined ? {} : { project: await findNamed(client, projects, options.project) }),
  };
  const made = await client.post('/v1/tasks', body, task);
  if (!options.watch) return context.output.show(made, ({ id }) => [id]);
  context.output.say(`${made.id} is created.`);
  await watch(client, made.id, context);
}

type ListOptions = { status?: string; role?: string; project?: string; limit?: string };

async function list(context: Context, { status, role, project, limit = String(pageSize) }: ListOptions): Promise<void> {
  const client = await context.client();
  const query = {
    status,
    assigned_role: role,
    project: project === undefined ? undefined : await findNamed(client, projects, project),
    limit,
  };
  const page = await client.get(withQuery('/v1/tasks', query), tasks);
  context.output.show(page, ({ data }) =>
    table(
      ['id', 'status', 'role', 'priority', 'title'],
      data.map((one) => [one.id, one.status, one.assigned_role ?? '', one.priority, oneLine(one.title)]),
      'No tasks.',
    ),
  );
}

function linesOf({ waiting_on: waits, progress, artifacts, ...shown }: Detail): string[] {
  return [
    plain(shown.title),
    ...fields({
      id: shown.id,
      status: shown.status,
      waits: waits ? `for ${waits.kind}${waits.id ? ` ${waits.id}` : ''}` : undefined,
      progress: progress && progress.percent_complete > 0 ? `${progress.percent_complete} %` : undefined,
      role: shown.assigned_role,
      agent: shown.assigned_agent,
      priority: shown.priority,
      project: shown.project,
    }),
    '',
    plain(shown.description),
    ...(shown.summary ? ['', 'Summary:', plain(shown.summary)] : []),
    ...(artifacts.length > 0 ? ['', 'Artifacts:'] : []),
    ...artifacts.map(({ kind, title, url }) => `  ${[kind, title && oneLine(title), url].filter(Boolean).join('  ')}`),
  ];
}

async function watch(client: Client, id: string, { output }: Context): Promise<void> {
  const status = await watchTask(client, id, output);
  if (status !== 'completed') throw new CliError(`The task is ${status}.`, exitCodes.notCompleted);
}
