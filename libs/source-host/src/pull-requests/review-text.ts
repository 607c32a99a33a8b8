import { type GivenReview, placeOf } from '@eas/tasks';
import type { WantedReview } from '@eas/platform-calls';
import { codeBlock } from './pull-request-text.ts';

const markOf = (reviewId: string): string => `<!-- eas:review ${reviewId} -->`;
const markPattern = /<!-- eas:review tsk_[0-9a-z]{26} -->/;

/** Whether this service has said it: the task knows it already. */
export const isOurReview = (text: string): boolean => markPattern.test(text);

/** The mark that a review of this service begins with. */
export const reviewMarkIn = (text: string): string | undefined => markPattern.exec(text)?.[0];

type Texts = Pick<WantedReview, 'text' | 'comments' | 'plainText'>;

/** What the review says on the source host. Texts of agents are in blocks of code, where no user is mentioned. */
export function reviewTexts({ id, decision, comment, findings }: GivenReview): Texts {
  const what = decision === 'approve' ? 'An agent approves this.' : 'An agent asks for changes.';
  const head = [markOf(id), what, ...(comment === null ? [] : [codeBlock(comment)])];
  const listed = (which: typeof findings) => which.map((one) => codeBlock(`${placeOf(one)}\n\n${one.body}`));
  const comments = findings.flatMap(({ path, line, body }) =>
    line === undefined ? [] : [{ path, line, body: `${markOf(id)}\n\n${codeBlock(body)}` }],
  );
  const withoutLine = findings.filter(({ line }) => line === undefined);
  return {
    text: textOf([...head, ...listed(withoutLine)]),
    comments,
    plainText: textOf([...head, ...listed(findings)]),
  };
}

/** The text of a review with what would have been comments on lines. */
export const withComments = (text: string, comments: WantedReview['comments']): string =>
  textOf([text, ...comments.flatMap((one) => [codeBlock(placeOf(one)), one.body.replace(markPattern, '').trim()])]);

/** The source host's limit. */
const maxLength = 65_000;
const textOf = (parts: readonly string[]) => parts.join('\n\n').slice(0, maxLength).toWellFormed();
