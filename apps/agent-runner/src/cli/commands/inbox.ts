import type { AnswerInputBody } from '@eas/contracts';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { z } from 'zod';
import { answerOf, decisions, type Input, input, wantedLines } from '../asked-input.ts';
import { CliError, exitCodes } from '../cli-error.ts';
import { type Context, contextOf, type World } from '../context.ts';
import { oneLine, plain, table } from '../output.ts';
import { type Client, pathOf, withQuery } from '../client.ts';

const inputs = z.looseObject({ data: z.array(input), metadata: z.looseObject({ total: z.number() }).optional() });

type Decided = Partial<Record<keyof typeof decisions, boolean>>;

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
    .option('--content <json>', 'the values of the fields of a form, as a JSON object', jsonObject)
    .addOption(new Option('--approve', 'approves what an agent wants to do').conflicts(['reject', ...permitting]))
    .option('--reject', 'rejects it')
    .addOption(new Option('--allow-once', 'allows it this once').conflicts(['reject', 'allowAlways']))
    .addOption(new Option('--allow-always', 'allows the same for the rest of the task').conflicts('reject'))
    .option('--comment <text>', 'a remark for the agent')
    .action(async (id: string, given: string | undefined, _: object, command: Command) => {
      const context = contextOf(command, world);
      const { content, comment, ...decided } = command.opts<Decided & Pick<AnswerInputBody, 'content' | 'comment'>>();
      const [chosen] = Object.entries(decisions).filter(([flag]) => decided[flag as keyof Decided] === true);
      if ([given, content, chosen].filter((one) => one !== undefined).length !== 1)
        throw new CliError(
          'Give an answer, --content, or one of --approve, --reject, --allow-once and --allow-always.',
          exitCodes.usage,
        );
      const body: AnswerInputBody = {
        ...(given === undefined ? {} : { answer: given === '-' ? await context.readInput() : given }),
        ...(content === undefined ? {} : { content }),
        ...(chosen === undefined ? {} : { decision: chosen[1] }),
        ...(comment === undefined ? {} : { comment }),
      };
      const answered = await send(await context.client(), id, body);
      context.output.show(answered, ({ status }) => [`${id} is ${status}.`]);
    });
}

const permitting = ['allowOnce', 'allowAlways'];

function jsonObject(text: string): AnswerInputBody['content'] {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
      return parsed as AnswerInputBody['content'];
  } catch {
    // Said below.
  }
  throw new InvalidArgumentError('expected a JSON object, such as {"port": 80}.');
}

const send = (client: Client, id: string, answer: AnswerInputBody): Promise<Input> =>
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
  for (const line of wantedLines(one)) output.say(line);
  const answer = await answerOf(one, output);
  if (!answer) return output.say('Left for later.');
  const { status } = await send(client, one.id, answer);
  output.say(`${one.id} is ${status}.`);
}
