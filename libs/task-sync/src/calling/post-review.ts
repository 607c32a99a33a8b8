import { type CallOutcome, restOf, type TakenCall, type WantedReview } from '@eas/platform-calls';
import { isInDiff, reviewMarkIn, type SourceHostClient, withComments } from '@eas/source-host';
import { nextStep } from './next-step.ts';

/**
 * Says a review in a pull request. Each attempt that writes follows one that looked for it: what an attempt did that was
 * broken off is found. Lines that are not part of the change are no place for comments: the text has them then.
 */
export async function postReview(client: SourceHostClient, call: TakenCall): Promise<CallOutcome> {
  const { review, step } = call.payload;
  if (!review) return { kind: 'failed', reason: 'the call does not say what to post' };
  return step?.attempt === call.attempts ? post(client, call, review) : lookUp(client, call, review);
}

async function lookUp(client: SourceHostClient, call: TakenCall, review: WantedReview): Promise<CallOutcome> {
  const response = await client.findReviews(review.repository, review.number);
  if (response.kind !== 'ok') return { kind: 'response', failure: response, ...restOf(response) };
  const mark = reviewMarkIn(review.text);
  const known = response.value.find(({ body }) => mark !== undefined && body?.includes(mark));
  if (known) return { kind: 'done', result: { id: String(known.id), date: null }, ...restOf(response) };
  return nextStep(call, response, { number: review.number });
}

async function post(client: SourceHostClient, call: TakenCall, review: WantedReview): Promise<CallOutcome> {
  const { repository, number, sha, text, comments } = review;
  const response = await client.createReview(repository, number, {
    body: text,
    event: 'COMMENT',
    ...(sha === null ? {} : { commit_id: sha }),
    comments: comments.map((comment) => ({ ...comment, side: 'RIGHT' })),
  });
  if (response.kind === 'ok')
    return { kind: 'done', result: { id: String(response.value.id), date: null }, ...restOf(response) };
  if (response.kind !== 'refused' || (comments.length === 0 && sha === null))
    return { kind: 'response', failure: response, ...restOf(response) };
  const next = await withFewerComments(client, review);
  return nextStep({ ...call, payload: { ...call.payload, review: next } }, response, { number });
}

/** With comments on the lines that the diff has, the others in the text; where that is what was refused, with none. */
async function withFewerComments(client: SourceHostClient, review: WantedReview): Promise<WantedReview> {
  const { repository, number, comments } = review;
  const response = comments.length === 0 ? undefined : await client.findChangedFiles(repository, number);
  const kept = response?.kind === 'ok' ? comments.filter((comment) => isInDiff(response.value, comment)) : [];
  if (kept.length === 0 || kept.length === comments.length)
    return { ...review, sha: null, text: review.plainText, comments: [] };
  const others = comments.filter((comment) => !kept.includes(comment));
  return { ...review, text: withComments(review.text, others), comments: kept };
}
