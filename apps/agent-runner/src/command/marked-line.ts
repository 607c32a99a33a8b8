import { randomBytes } from 'node:crypto';
import { completeBody, handoffBody, releaseBody, ruleOfIssue } from '@eas/contracts';
import type { z } from 'zod';

export type Said =
  | { kind: 'progress'; body: Record<string, unknown> }
  | { kind: 'milestone'; milestone: { name: string; completed: boolean } }
  | { kind: 'artifact' | 'ask' | 'checkpoint' | 'result' | 'scores' | 'handoff' | 'release'; body: Json }
  | { kind: 'summary' | 'fail'; text: string };
type Json = Record<string, unknown>;

/** A marked line that the runner cannot parse; `problem` is a sentence for the author of the command. */
export type Misspoken = { kind: 'misspoken'; problem: string };

/** The prefix of lines for the runner. Each run gets a new one, so that other output never has it. */
export const newMark = (): string => `::${randomBytes(8).toString('hex')}`;

const spoken = /^ ([a-z]+)(?:\s+(.*))?$/s;
const unmarked =
  /^::(progress|comment|milestone|plan|artifact|ask|checkpoint|result|scores|summary|fail|handoff|release)\b/;

/** Whether a line begins as all lines for the runner do. */
export const mayBeForRunner = (line: string): boolean => line.startsWith('::');

/** Whether a line is meant for the runner but lacks the mark: a printed file, or a command of an earlier version. */
export const isUnmarked = (line: string): boolean => unmarked.test(line);

/** Parses a line of output; undefined for one without the mark. */
export function readLine(line: string, mark: string): Said | Misspoken | undefined {
  if (!line.startsWith(mark)) return undefined;
  const [, verb, rest = ''] = spoken.exec(line.slice(mark.length)) ?? [];
  if (verb === undefined) return undefined;
  const text = rest.trim();
  switch (verb) {
    case 'progress':
      return readProgress(text);
    case 'comment':
      return text === ''
        ? misspoken('comment must be followed by a text')
        : { kind: 'progress', body: { comment: text } };
    case 'milestone':
    case 'plan':
      if (text === '') return misspoken(`${verb} must be followed by a name`);
      return { kind: 'milestone', milestone: { name: text, completed: verb === 'milestone' } };
    case 'summary':
    case 'fail':
      return text === '' ? misspoken(`${verb} must be followed by a text`) : { kind: verb, text };
    case 'artifact':
    case 'ask':
    case 'checkpoint':
    case 'result':
    case 'scores':
    case 'handoff':
    case 'release':
      return readJson(verb, text);
    default:
      return misspoken(`${verb} is not a known marker`);
  }
}

const misspoken = (problem: string): Misspoken => ({ kind: 'misspoken', problem });

/** `40`, `40 a comment`, or the body of the call as JSON. */
function readProgress(text: string): Said | Misspoken {
  if (text.startsWith('{')) return readJson('progress', text);
  const [, digits, comment = ''] = /^(\d{1,3})%?(?:\s+(.*))?$/s.exec(text) ?? [];
  if (digits === undefined) return misspoken('progress must be followed by a number from 0 to 100 or a JSON object');
  const percent = { percent_complete: Number(digits) };
  return { kind: 'progress', body: comment === '' ? percent : { ...percent, comment } };
}

type JsonKind = Extract<Said, { body: Json }>['kind'];

function readJson<K extends JsonKind>(kind: K, text: string): { kind: K; body: Json } | Misspoken {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return check(kind, body as Json);
  } catch {
    // Falls through to the same sentence.
  }
  return misspoken(`${kind} must be followed by a JSON object on the same line`);
}

/** Calls that are sent when the command has ended are validated at once, while the command can correct them. */
const saidForTheEnd: Partial<Record<JsonKind, z.ZodType>> = {
  result: completeBody.shape.result,
  scores: completeBody.shape.scores,
  handoff: handoffBody.omit({ fencing_token: true }),
  release: releaseBody.omit({ fencing_token: true }),
};

function check<K extends JsonKind>(kind: K, body: Json): { kind: K; body: Json } | Misspoken {
  const [issue] = saidForTheEnd[kind]?.safeParse(body, { error: ruleOfIssue }).error?.issues ?? [];
  if (!issue) return { kind, body };
  return misspoken(`${kind} is not valid: ${issue.path.join('.') || 'the object'} ${issue.message}`);
}
