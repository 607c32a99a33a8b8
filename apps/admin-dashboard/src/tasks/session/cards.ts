import type { Schemas } from '../../api/client.ts';
import { definedOf } from '../../parts/defined.ts';

export type SessionEntry = Schemas['SessionEntry'];
type EntryOf<K extends SessionEntry['kind']> = Extract<SessionEntry, { kind: K }>;
type Plan = EntryOf<'plan'>['steps'];
export type Usage = Pick<EntryOf<'usage'>, 'tokens' | 'cost' | 'model'>;

/** What is shown as one: a whole message, a tool call with all that is known of it, or another entry. */
export type Card =
  | { number: number; at: string; kind: 'prompt' | 'text' | 'thought' | 'question' | 'notice'; text: string }
  | ({ number: number; at: string } & Pick<EntryOf<'tool'>, ToolField>)
  | { number: number; at: string; kind: 'permission'; tool: string; title: string; is_allowed: boolean }
  | { number: number; at: string; kind: 'stop'; reason: string };
type ToolField = 'kind' | 'id' | 'type' | 'name' | 'title' | 'status' | 'diff' | 'output';
export type ToolCard = Extract<Card, { kind: 'tool' }>;

/** What one agent said and did under one lease. `plan` and `usage` are the last ones. */
export type Attempt = { leaseId: string; agentId: string; cards: Card[]; plan: Plan; usage: Usage };

/** The attempts of a session, in their order. */
export function attemptsOf(entries: readonly SessionEntry[]): Attempt[] {
  const attempts = new Map<string, ReturnType<typeof openAttempt>>();
  for (const entry of entries) {
    let attempt = attempts.get(entry.lease_id);
    if (!attempt) attempts.set(entry.lease_id, (attempt = openAttempt(entry)));
    attempt.add(entry);
  }
  return [...attempts.values()].map(({ attempt }) => attempt);
}

function openAttempt({ lease_id: leaseId, agent_id: agentId }: SessionEntry) {
  const attempt: Attempt = { leaseId, agentId, cards: [], plan: [], usage: {} };
  const tools = new Map<string, ToolCard>();
  let messageId: string | undefined;

  function add(entry: SessionEntry): void {
    switch (entry.kind) {
      case 'text':
      case 'thought':
        return addText(entry);
      case 'tool':
        return addTool(entry);
      case 'plan':
        return void (attempt.plan = entry.steps);
      case 'usage':
        return void (attempt.usage = { ...attempt.usage, ...known(entry) });
      case 'prompt':
      case 'question':
      case 'notice':
      case 'permission':
      case 'stop':
        return void attempt.cards.push({ ...entry });
    }
  }

  function addText({ number, at, kind, text, message_id: id }: EntryOf<'text'> | EntryOf<'thought'>): void {
    const last = attempt.cards.at(-1);
    if (last?.kind === kind && messageId === id) last.text += text;
    else attempt.cards.push({ number, at, kind, text });
    messageId = id;
  }

  function addTool(entry: EntryOf<'tool'>): void {
    const { number, at, kind, id, type, name, title, status, diff, output } = entry;
    const news = definedOf({ type, name, title, status, diff, output });
    const card = tools.get(id);
    if (card) return void Object.assign(card, news);
    const made: ToolCard = { number, at, kind, id, ...news };
    tools.set(id, made);
    attempt.cards.push(made);
  }

  return { attempt, add };
}

const known = ({ tokens, cost, model }: EntryOf<'usage'>): Usage => definedOf({ tokens, cost, model });

/** Whether a card has a text, whatever its case. */
export function hasText(card: Card, text: string): boolean {
  const { number: _, at: __, kind: ___, ...fields } = card;
  return JSON.stringify(Object.values(fields)).toLowerCase().includes(JSON.stringify(text).slice(1, -1).toLowerCase());
}

const escapes = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;

/** What a terminal would show, without its colours. */
export const plainText = (text: string): string => text.replaceAll(escapes, '').replaceAll('\r\n', '\n');
