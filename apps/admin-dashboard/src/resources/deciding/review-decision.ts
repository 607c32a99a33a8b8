import type { Schemas } from '../../api/client.ts';

/** The body of a decision about the work that is shown. A comment without text is none. */
export const reviewDecision = (comment: string, submission: number | undefined): Schemas['ReviewDecision'] => ({
  submission,
  ...(comment.trim() === '' ? {} : { comment }),
});
