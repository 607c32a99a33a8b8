import { completeBody, handoffBody, releaseBody, ruleOfIssue } from '@eas/contracts';
import type { z } from 'zod';

export type Said =
  | { kind: 'progress'; body: Record<string, unknown> }
  | { kind: 'milestone'; milestone: { name: string; completed: boolean } }
  | { kind: 'artifact' | 'ask' | 'checkpoint' | 'result' | 'scores' | 'handoff' | 'release'; body: Json }
  | { kind: 'summary' | 'fail'; text: string };
type Json = Record<string, unknown>;

/** A marked line that says nothing the runner understands; `problem` is a sentence for whoever wrote the command. */
export type Misspoken = { kind: 'misspoken'; problem: string };

const marked = /^::([a-z]+)(?:\s+(.*))?$/s;

/** Reads a line of output; undefined for one without a marker, which is the command's own affair. */
export function readLine(line: string): Said | Misspoken | undefined {
  const [, verb, rest = ''] = marked.exec(line) ?? [];
  if (verb === undefined) return undefined;
  const text = rest.trim();
  switch (verb) {
    case 'progress':
      return readProgress(text);
    case 'comment':
      return text === ''
        ? misspoken('::comment must be followed by a text')
        : { kind: 'progress', body: { comment: text } };
    case 'milestone':
    case 'plan':
      if (text === '') return misspoken(`::${verb} must be followed by a name`);
      return { kind: 'milestone', milestone: { name: text, completed: verb === 'milestone' } };
    case 'summary':
    case 'fail':
      return text === '' ? misspoken(`::${verb} must be followed by a text`) : { kind: verb, text };
    case 'artifact':
    case 'ask':
    case 'checkpoint':
    case 'result':
    case 'scores':
    case 'handoff':
    case 'release':
      return readJson(verb, text);
    default:
      return misspoken(`::${verb} is not a known marker`);
  }
}

const misspoken = (problem: string): Misspoken => ({ kind: 'misspoken', problem });

/** `40`, `40 a comment`, or the body of the call as JSON. */
function readProgress(text: string): Said | Misspoken {
  if (text.startsWith('{')) return readJson('progress', text);
  const [, digits, comment = ''] = /^(\d{1,3})%?(?:\s+(.*))?$/s.exec(text) ?? [];
  if (digits === undefined) return misspoken('::progress must be followed by a number from 0 to 100 or a JSON object');
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
  return misspoken(`::${kind} must be followed by a JSON object on the same line`);
}

/** What is sent only when the command has ended is checked when it is said, while the command can still say it better. */
const saidForTheEnd: Partial<Record<JsonKind, z.ZodType>> = {
  result: completeBody.shape.result,
  scores: completeBody.shape.scores,
  handoff: handoffBody.omit({ fencing_token: true }),
  release: releaseBody.omit({ fencing_token: true }),
};

function check<K extends JsonKind>(kind: K, body: Json): { kind: K; body: Json } | Misspoken {
  const [issue] = saidForTheEnd[kind]?.safeParse(body, { error: ruleOfIssue }).error?.issues ?? [];
  if (!issue) return { kind, body };
  return misspoken(`::${kind} is not valid: ${issue.path.join('.') || 'the object'} ${issue.message}`);
}
