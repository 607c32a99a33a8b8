import { maxBlocks, maxTextLength, plain } from './chat-text.ts';

type Mrkdwn = { type: 'mrkdwn'; text: string };
type PlainText = { type: 'plain_text'; text: string };

export type Button = {
  type: 'button';
  text: PlainText;
  action_id: string;
  value?: string;
  url?: string;
  style?: 'primary' | 'danger';
};

export type Block =
  | { type: 'section'; text: Mrkdwn }
  | { type: 'context'; elements: Mrkdwn[] }
  | { type: 'actions'; block_id: string; elements: Button[] };

/** What is posted: `text` is for notifications and for those who cannot see blocks. */
export type ChatContent = { text: string; blocks: Block[] };

/** Of text that is escaped already. */
export const section = (text: string): Block => ({ type: 'section', text: { type: 'mrkdwn', text } });
export const context = (text: string): Block => ({ type: 'context', elements: [{ type: 'mrkdwn', text }] });

export const button = (label: string, rest: Omit<Button, 'type' | 'text'>): Button => ({
  type: 'button',
  text: { type: 'plain_text', text: plain(label) },
  ...rest,
});

/** Leaves out the blocks that have nothing to say. */
export function content(text: string, blocks: readonly (Block | undefined)[]): ChatContent {
  const present = blocks.filter((block) => block !== undefined);
  return { text: text.slice(0, maxTextLength).toWellFormed(), blocks: present.slice(0, maxBlocks) };
}
