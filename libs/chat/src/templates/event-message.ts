import type { EventType } from '@eas/contracts';
import { type Block, type ChatContent, content, context, section } from './blocks.ts';
import { escaped, link } from './chat-text.ts';
import { type EventLine, lineOf } from './event-lines.ts';

/** An event as its message shows it. `baseUrl`: for links to the dashboard; undefined: there are none. */
export type ShownEvent = {
  type: EventType;
  data: Readonly<Record<string, unknown>>;
  baseUrl: string | undefined;
  /** Messages of the channel that were left out before this one. */
  skipped?: number;
};

/** The blocks of an event. */
export function eventMessage(event: ShownEvent): ChatContent {
  const line = lineOf(event.type, event.data);
  const facts = (line.facts ?? []).filter((fact) => typeof fact === 'string').join(' · ');
  return content(fallbackOf(line), [
    headlineBlock(event, line),
    line.body ? section(escaped(line.body)) : undefined,
    facts ? context(escaped(facts)) : undefined,
    skippedBlock(event.skipped),
  ]);
}

export const fallbackOf = ({ headline, subject }: EventLine): string =>
  escaped(subject ? `${headline}: ${subject}` : headline);

export function headlineBlock(event: ShownEvent, { headline, subject, url }: EventLine): Block {
  const address = url && isLinkable(url) ? url : pageUrl(event);
  const shown = subject === undefined ? '' : `: ${address ? link(address, subject) : escaped(subject, 500)}`;
  return section(`*${escaped(headline, 200)}*${shown}`);
}

export function skippedBlock(skipped = 0): Block | undefined {
  if (skipped <= 0) return undefined;
  return context(`${skipped} more events were not posted: the channel had more than it can take.`);
}

/** The page of the dashboard for it: in the inbox what waits for a person, else the task. */
export function pageUrl({ data, baseUrl }: ShownEvent): string | undefined {
  const { task_id: taskId, input_id: inputId, to } = data;
  if (typeof taskId !== 'string' || baseUrl === undefined) return undefined;
  const waiting = typeof inputId === 'string' ? inputId : to === 'in_review' ? taskId : undefined;
  if (waiting !== undefined) return `${baseUrl}/admin/inbox?item=${encodeURIComponent(waiting)}`;
  return `${baseUrl}/admin/tasks/${encodeURIComponent(taskId)}`;
}

/** Written by others: nothing in it may end the link. */
const isLinkable = (url: string): boolean => /^https?:\/\/[^\s<>|]+$/.test(url) && url.length <= 2_000;
