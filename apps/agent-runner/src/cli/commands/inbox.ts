import { type Command, Option } from 'commander';
import { z } from 'zod';
import { askChoice, askText, askYesOrNo } from '../ask.ts';
import { CliError, exitCodes } from '../cli-error.ts';
import { type Context, contextOf, type World } from '../context.ts';
import { oneLine, plain, table } from '../output.ts';
import { type Client, pathOf, withQuery } from '../client.ts';

const input = z.looseObject({
  id: z.string(),
  task_id: z.string(),
  agent_id: z.string(),
  kind: z.string(),
  prompt: z.string(),
  options: z.array(z.string()).default([]),
  status: z.string(),
});
type Input = z.output<typeof input>;
const inputs = z.looseObject({ data: z.array(input), metadata: z.looseObject({ total: z.number() }).optional() });

type Answer = { answer?: string; decision?: 'approve' | 'reject'; comment?: string };

export function addInbox(program: Command, world: World): void {
  const group = program
    .command('inbox')
    .description('what agents ask: shows it, and at a terminal asks you for the answers')
    .action(async (_: object, command: Command) => {
      const context = contextOf(command, world);
      const client = await context.client();
      const query = { status: 'pending', sort: 'created_at', limit: 100 };
      const page = await client.get(withQuery('/v1/inputs', query), inputs);
      if (context.output.isJson || !world.isTerminal || page.data.length === 0)
        return context.output.show(page, listed);
      for (const one of page.data) await answerByHand(one, client, context);
    });
  group
    .command('answer')
    .description('answers one question')
    .argument('<id>', 'the question, such as inp_01…')
    .argument('[answer]', 'the answer, or one of the options; - reads it from standard input')
    .addOption(new Option('--approve', 'approves what an agent wants to do').conflicts('reject'))
    .option('--reject', 'rejects it')
    .option('--comment <text>', 'a remark for the agent')
    .action(async (id: string, given: string | undefined, _: object, command: Command) => {
      const context = contextOf(command, world);
      const { approve, reject, comment } = command.opts<{ approve?: boolean; reject?: boolean; comment?: string }>();
      const isDecided = approve === true || reject === true;
      if ((given === undefined) !== isDecided)
        throw new CliError('Give an answer, or one of --approve and --reject.', exitCodes.usage);
      const body: Answer = {
        ...(given === undefined ? {} : { answer: given === '-' ? await context.readInput() : given }),
        ...(isDecided ? { decision: approve ? ('approve' as const) : ('reject' as const) } : {}),
        ...(comment === undefined ? {} : { comment }),
      };
      const answered = await send(await context.client(), id, body);
      context.output.show(answered, ({ status }) => [`${id} is ${status}.`]);
    });
}

const send = (client: Client, id: string, answer: Answer): Promise<Input> =>
  client.post(`${pathOf('inputs', id)}/answer`, answer, input);

function listed({ data, metadata }: z.output<typeof inputs>): string[] {
  const rows = data.map(({ id, task_id: taskId, kind, prompt }) => [id, taskId, kind, oneLine(prompt)]);
  const more = (metadata?.total ?? 0) - data.length;
  return [
    ...table(['id', 'task', 'kind', 'question'], rows, 'No questions.'),
    ...(more > 0 ? [`and ${more} more`] : []),
  ];
}

/** One question after another; an empty answer leaves it for later. */
async function answerByHand(one: Input, client: Client, { output }: Context): Promise<void> {
  output.say(`\n${one.agent_id} asks about ${one.task_id}:\n${plain(one.prompt)}`);
  const answer = await answerOf(one);
  if (!answer) return output.say('Left for later.');
  const { status } = await send(client, one.id, answer);
  output.say(`${one.id} is ${status}.`);
}

const later = 'Later';

async function answerOf({ kind, options }: Input): Promise<Answer | undefined> {
  if (kind === 'approval') {
    const decision = (await askYesOrNo('Approve?')) ? 'approve' : 'reject';
    const comment = await askText('A remark for the agent (empty: none)');
    return { decision, ...(comment === '' ? {} : { comment }) };
  }
  const answer =
    kind === 'choice' ? await askChoice('Which?', [...options, later]) : await askText('Answer (empty: later)');
  return answer === '' || (kind === 'choice' && answer === later) ? undefined : { answer };
}
