import { isId } from '@eas/core';
import { numberedId } from './pull-request.ts';

/** Ids of tasks, and tickets of the platform or issues, that a pull request names, in the order in which they count. */
export type NamedTasks = { ids: string[]; tickets: string[] };

const maxIds = 20;
const maxTickets = 40;
/** As much of a description is looked through. */
const maxText = 16_384;

/**
 * Reads branch, title and description. A ticket is `owner/repository#7`, `#7` (an issue of the same repository),
 * `ABC-7`, or a word of letters and digits.
 */
export function readNamedTasks(
  repository: string,
  { branch, title, description }: { branch: string; title: string; description: string },
): NamedTasks {
  const texts = [branch, title, description.slice(0, maxText)];
  const lower = texts.join(' ').toLowerCase();
  const ids = (lower.match(/tsk_[0-9a-z]{26}/g) ?? []).filter((id) => isId('task', id));
  const tickets = texts.flatMap((text) => ticketsIn(text, repository));
  return { ids: first(ids, maxIds), tickets: first(tickets, maxTickets) };
}

const first = (all: readonly string[], max: number) => [...new Set(all)].slice(0, max);

/** In text without white space: each is short, so that no text takes long. */
const wordPattern = /[\w./#-]{2,200}/g;
const issuePattern = /^([\w.-]+\/[\w.-]+)?#(\d{1,10})\W*$/;
const keyPattern = /(?:^|[^A-Za-z0-9])([A-Za-z][A-Za-z0-9]{0,19}-\d{1,10})(?![A-Za-z0-9])/g;
const idPattern = /[A-Za-z0-9]{4,40}/g;

function ticketsIn(text: string, repository: string): string[] {
  const found: string[] = [];
  for (const [word] of text.matchAll(wordPattern)) {
    if (found.length >= 4 * maxTickets) break;
    const issue = issuePattern.exec(word);
    if (issue) found.push(numberedId({ repository: issue[1] ?? repository, number: Number(issue[2]) }));
    else if (/\d/.test(word)) found.push(...keysIn(word), ...idsIn(word));
  }
  return found;
}

const keysIn = (word: string) =>
  [...word.matchAll(keyPattern)].flatMap(([, key = '']) => [...new Set([key, key.toUpperCase()])]);

const idsIn = (word: string) =>
  (word.match(idPattern) ?? []).filter((id) => /\d/.test(id) && /[A-Za-z]/.test(id) && !id.startsWith('tsk'));
