import type { AnswerInputBody } from '@eas/contracts';

type Decision = NonNullable<AnswerInputBody['decision']>;
type Words = { pattern: RegExp; means: (word: string) => Decision };

const words: Record<'approval' | 'permission', Words> = {
  approval: {
    pattern: /^(approved?|reject(?:ed)?|yes|no)(?![\p{L}\p{N}])(.*)$/isu,
    means: (word) => (/^(a|y)/i.test(word) ? 'approve' : 'reject'),
  },
  permission: {
    pattern: /^((?:allow )?always|allow(?:ed)?(?: once)?|reject(?:ed)?|den(?:y|ied)|yes|no)(?![\p{L}\p{N}])(.*)$/isu,
    means: (word) => (/always$/i.test(word) ? 'allow_always' : /^(a|y)/i.test(word) ? 'allow_once' : 'reject'),
  },
};

/** What a text decides; undefined: nothing. `isMeant`: more may follow the word, and yes and no count. */
export function decisionOf(kind: keyof typeof words, text: string, isMeant: boolean): Decision | undefined {
  const { pattern, means } = words[kind];
  const found = pattern.exec(text);
  if (!found) return undefined;
  const [, word = '', rest = ''] = found;
  const isShort = /^(yes|no)$/i.test(word);
  if (!isMeant && (isShort || !/^[.!]?\s*$/.test(rest))) return undefined;
  return means(word);
}
