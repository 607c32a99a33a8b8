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

/** Nothing but the word. */
const isOver = /^[\s.!]*$/;
/** What is added to a word: after a mark, or in a new line. A word in a sentence decides nothing. */
const isRemark = /^\s*(?:[.!,:;–—]|-\s|\n)/;

/** What a text decides; undefined: nothing. `isMeant`: a remark may follow the word, and yes and no count. */
export function decisionOf(kind: keyof typeof words, text: string, isMeant: boolean): Decision | undefined {
  const { pattern, means } = words[kind];
  const [, word, rest = ''] = pattern.exec(text) ?? [];
  if (word === undefined) return undefined;
  const decision = means(word);
  const isShort = /^(yes|no)$/i.test(word);
  if (isOver.test(rest)) return isShort && !isMeant ? undefined : decision;
  return isMeant && decision !== 'allow_always' && isRemark.test(rest) ? decision : undefined;
}
