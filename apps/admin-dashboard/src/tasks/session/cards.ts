import type { Schemas } from '../../api/client.ts';

export type SessionEntry = Schemas['SessionEntry'];
export type EntryOf<K extends SessionEntry['kind']> = Extract<SessionEntry, { kind: K }>;

/** One visible item: a whole message, a tool call with its latest state, or another entry. */
export type Card =
  | { number: number; at: string; kind: 'prompt' | 'text' | 'thought' | 'question' | 'notice'; text: string }
  | ({ number: number; at: string; changes?: readonly Change[] } & Pick<EntryOf<'tool'>, ToolField>)
  | { number: number; at: string; kind: 'permission'; tool: string; title: string; is_allowed: boolean }
  | { number: number; at: string; kind: 'stop'; reason: string };
type ToolField = 'kind' | 'id' | 'type' | 'name' | 'title' | 'status' | 'output';
type Change = Schemas['SessionDiff'];
export type ToolCard = Extract<Card, { kind: 'tool' }>;

const searched = new WeakMap<Card, string>();

/** Whether a card contains a text, ignoring case. */
export const hasText = (card: Card, text: string): boolean =>
  searchedIn(card).includes(JSON.stringify(text).slice(1, -1).toLowerCase());

/** All texts of a card, cached: thousands of cards are searched whenever entries arrive. */
function searchedIn(card: Card): string {
  const { number: _, at: __, kind: ___, ...fields } = card;
  const texts = searched.get(card) ?? JSON.stringify(Object.values(fields)).toLowerCase();
  searched.set(card, texts);
  return texts;
}

const escapes = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;

/** The text without colours and control sequences of terminals. */
export const plainText = (text: string): string => text.replaceAll(escapes, '').replaceAll('\r\n', '\n');
