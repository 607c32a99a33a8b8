import type { Schemas } from '../../api/client.ts';

/** The body of a decision about the work that is shown. An empty comment is left out. */
export const reviewDecision = (comment: string, submission: number | undefined): Schemas['ReviewDecision'] => ({
  submission,
  ...(comment.trim() === '' ? {} : { comment }),
});
