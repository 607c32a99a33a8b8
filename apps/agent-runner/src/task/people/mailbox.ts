import type { ClaimContext, Directive, InputResource } from '@eas/contracts';
import type { Order } from '../../lease/inbox.ts';
import type { TaskFolder } from '../task-folder.ts';

/** What the service says of an answered input, in the words of `context.answers`. */
export type GivenAnswer = ClaimContext['answers'][number];

export type Mailbox = ReturnType<typeof createMailbox>;

type Asked = Pick<InputResource, 'id' | 'kind' | 'prompt' | 'blocking'>;
/** A command that runs. `say` resolves with whether the line reached it. */
type Listener = { say(message: object): Promise<boolean> };

/**
 * What arrived for the agent in one attempt: lines for the command, files in the inbox, answers for its next run. `claimed`
 * came with the claim: its answers are to questions of earlier attempts, never delivered as if new.
 */
export function createMailbox(folder: () => Promise<TaskFolder>, claimed: readonly Order[]) {
  const isEarlier = new Set(claimed.filter(({ kind }) => kind === 'answer').map(({ id }) => id));
  const kept = new Map<string, Order>(claimed.filter(isMessage).map((order) => [order.id, order]));
  const asked = new Map<string, Asked>();
  /** Ids of what stood in the first line of the run, was written to the command, or is being written. */
  const sent = new Set<string>();
  let listener: Listener | undefined;

  async function send(order: Order): Promise<void> {
    if (!listener || sent.has(order.id)) return;
    sent.add(order.id);
    if (!(await listener.say(order))) sent.delete(order.id);
  }

  return {
    /** All that came so far, for the first line of a run; later lines have what comes after it. */
    take(): { directives: Order[]; answers: GivenAnswer[] } {
      const directives = [...kept.values()];
      for (const { id } of directives) sent.add(id);
      return { directives, answers: directives.flatMap((order) => givenAnswer(order, asked)) };
    },
    listen(command: Listener | undefined): void {
      listener = command;
      for (const order of kept.values()) void send(order);
    },
    keepAsked: (input: Asked) => void asked.set(input.id, input),
    /** Whether a command that asked and could not go on without the answer has ended before it received it. */
    owesAnswer: () =>
      [...kept.values()].some(
        (order) => order.kind === 'answer' && !sent.has(order.id) && asked.get(String(order['input_id']))?.blocking,
      ),
    /** What a person decided about an approval; undefined before that. */
    decisionOn: (inputId: string) =>
      [...kept.values()].find(({ kind, input_id: id }) => kind === 'answer' && id === inputId)?.['decision'],
    async deliver(order: Order): Promise<void> {
      if (isEarlier.has(order.id)) return;
      kept.set(order.id, order);
      const position = [...kept.keys()].indexOf(order.id) + 1;
      const name = `${String(position).padStart(4, '0')}-${order.kind.replaceAll(/\W/g, '_')}.json`;
      const { write } = await folder();
      await write(`inbox/${name}`, order);
      void send(order);
    },
  };
}

const endings: readonly string[] = ['cancel', 'lease_lost', 'answer'] satisfies Directive['kind'][];
const isMessage = ({ kind }: Order): boolean => !endings.includes(kind);

function givenAnswer(order: Order, asked: ReadonlyMap<string, Asked>): GivenAnswer[] {
  if (order.kind !== 'answer' || order['expired'] === true) return [];
  const { input_id: id, answer = null, ...others } = order as unknown as GivenAnswer;
  const { content = null, decision = null, comment = null } = others;
  const { kind, prompt } = asked.get(id) ?? { kind: 'question', prompt: '' };
  return [{ input_id: id, kind, prompt, answer, content, decision, comment }];
}
