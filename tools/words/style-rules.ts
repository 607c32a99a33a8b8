// How texts for users and operators are written; one finding a broken rule.
import type { FoundText, TextKind } from './collect-texts.ts';

type Phrase = readonly [RegExp, string];

/** Refused in code as well: comments, titles of tests, names. */
const poorWords: readonly Phrase[] = [
  [/\btold\b/i, 'reported, notified'],
  [/\bwhoever\b/i, 'any … that, the agent that'],
  [/\b(?:nobody|Nobody)\b/, 'no one, or no …'],
  [/\banew\b/i, 'again'],
  [/\bpassed over\b/i, 'skipped'],
  [/\bthat many\b/i, 'the number'],
];

const poorPhrases: readonly Phrase[] = [
  ...poorWords,
  [/\bbesides?\b/i, 'next to, except, in addition to'],
  [/\bthe own\b/i, "the agent's own"],
  [/\bhears? of\b/i, 'subscribe to, receives'],
  [/\bwhat is the matter\b/i, 'the problem'],
  [/\bso that you know (it|them) again\b/i, 'to recognise it later'],
  [/\b(?:lies?|lying) ahead\b/i, 'is in the future'],
  [/\bworks? on for\b/i, 'stays valid for'],
  [/\bthere is not\b/i, 'unknown'],
  [/\bthe one before\b/i, 'the previous one'],
  [/\bas good as\b/i, 'treated as'],
];

/** "It" as the subject: a reader who sees the sentence alone cannot know what it is. */
const itAsSubject =
  /(?:^|[.:;,] |\b(?:that|because|until|when|if|and|so) )it (?:is|was|has|must|can|cannot|takes|does|would|may|could|will)\b/i;
const field = /^[a-z_]+(?:\.[a-z_{}]+)* (?:must|cannot|is|has|does|requires|already)\b/;

const rules: Record<TextKind, (text: string) => string | undefined> = {
  sentence(text) {
    if (!/^(?:[A-Z/{"]|--)/.test(text) && !field.test(text)) return 'begins with a capital or the name of a field';
    if (!/[.}]$/.test(text)) return 'ends with a full stop';
    return undefined;
  },
  rule(text) {
    if (!/^(?:must|is|are|has|does|cannot|makes|refers|takes|\{)/.test(text)) return 'follows the field: "must be …"';
    if (/\.$/.test(text)) return 'has no full stop: the sentence gets one';
    return undefined;
  },
  log(text) {
    if (/^(?:an?|the) /i.test(text)) return 'begins without an article';
    if (!/^(?:[a-z]|[A-Z][A-Z_]+ |OAuth|Redis|Postgres)/.test(text)) return 'begins with a small letter';
    if (/[.;]|\{\}/.test(text)) return 'is one event without values or a full stop: values are fields';
    if (text.split(' ').length > 9) return 'has at most nine words';
    return undefined;
  },
  description(text) {
    if (!/^[A-Z{0-9/]/.test(text)) return 'begins with a capital';
    if (!/[.}]$/.test(text)) return 'ends with a full stop';
    return undefined;
  },
  plain: () => undefined,
};

export function problemsOf({ kind, text }: Pick<FoundText, 'kind' | 'text'>): string[] {
  const broken = rules[kind](text);
  const hasIt = (kind === 'sentence' || kind === 'rule') && itAsSubject.test(text);
  return [
    ...(broken ? [`${kind} ${broken}`] : []),
    ...(hasIt ? [`${kind} has "it" as its subject`] : []),
    ...phrasesIn(text),
  ];
}

/** A line of code; texts without a blank are data. */
export const wordsIn = (line: string): string[] => findingsIn(line.replace(/'[^'\s]*'/g, "''"), poorWords);

export const phrasesIn = (text: string): string[] => findingsIn(text, poorPhrases);

function findingsIn(text: string, phrases: readonly Phrase[]): string[] {
  return phrases.flatMap(([pattern, better]) => {
    const [found] = pattern.exec(text) ?? [];
    return found === undefined ? [] : [`"${found}": rather ${better}`];
  });
}
