import { definedOf } from '../../parts/defined.ts';
import type { Card, EntryOf, SessionEntry, ToolCard } from './cards.ts';

type Plan = EntryOf<'plan'>['steps'];
export type Usage = Pick<EntryOf<'usage'>, 'tokens' | 'cost' | 'model'>;

/** What one agent said and did under one lease. `plan` and `usage` are the latest. */
export type Attempt = {
  leaseId: string;
  agentId: string;
  /** Its number among all attempts of the task; undefined in entries of earlier versions. */
  number: number | undefined;
  cards: readonly Card[];
  plan: Plan;
  usage: Usage;
};

/** The attempts of a session as it grows. Unchanged attempts and cards stay the same objects. */
export function createAttempts() {
  const attempts = new Map<string, ReturnType<typeof openAttempt>>();
  return {
    add(entries: readonly SessionEntry[]): void {
      for (const entry of entries) {
        let attempt = attempts.get(entry.lease_id);
        if (!attempt) attempts.set(entry.lease_id, (attempt = openAttempt(entry)));
        attempt.add(entry);
      }
    },
    /** In their order. */
    all: (): Attempt[] => [...attempts.values()].map(({ shown }) => shown()),
  };
}

function openAttempt({ lease_id: leaseId, agent_id: agentId, attempt: number }: SessionEntry) {
  const cards: Card[] = [];
  /** The index of the card of each tool call. */
  const tools = new Map<string, number>();
  let [plan, usage]: [Plan, Usage] = [[], {}];
  let messageId: string | undefined;
  let attempt: Attempt | undefined;

  function add(entry: SessionEntry): void {
    attempt = undefined;
    switch (entry.kind) {
      case 'text':
      case 'thought':
        return addText(entry);
      case 'tool':
        return addTool(entry);
      case 'plan':
        return void (plan = entry.steps);
      case 'usage':
        return void (usage = { ...usage, ...known(entry) });
      case 'prompt':
      case 'question':
      case 'notice':
      case 'permission':
      case 'stop':
        return void cards.push({ ...entry });
    }
  }

  function addText({ number, at, kind, text, message_id: id }: EntryOf<'text'> | EntryOf<'thought'>): void {
    const last = cards.at(-1);
    if (last?.kind === kind && messageId === id) cards[cards.length - 1] = { ...last, text: last.text + text };
    else cards.push({ number, at, kind, text });
    messageId = id;
  }

  function addTool(entry: EntryOf<'tool'>): void {
    const { number, at, kind, id, type, name, title, status, diff, more_diffs: more = [], output } = entry;
    const changes = diff && [diff, ...more];
    const index = tools.get(id) ?? cards.length;
    const before = (cards[index] ?? { number, at, kind, id }) as ToolCard;
    cards[index] = { ...before, ...definedOf({ type, name, title, status, changes, output }) };
    tools.set(id, index);
  }

  const shown = (): Attempt => (attempt ??= { leaseId, agentId, number, cards: [...cards], plan, usage });
  return { add, shown };
}

const known = ({ tokens, cost, model }: EntryOf<'usage'>): Usage => definedOf({ tokens, cost, model });
