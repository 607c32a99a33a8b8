import { type CallOutcome, markIn, restOf, type TakenCall } from '@eas/platform-calls';
import type { PlatformClient } from '@eas/task-platform';

/**
 * Posts a comment once: after an attempt whose outcome is not known, the comments of the task are read first, and ours is
 * recognised by its mark.
 */
export async function postComment(client: PlatformClient, call: TakenCall): Promise<CallOutcome> {
  const { externalId, payload, attempts, key } = call;
  if (attempts > 1 && payload.isLookedUp !== true) {
    const found = await client.readComments(externalId);
    if (found.kind !== 'ok') return { kind: 'response', failure: found, ...restOf(found) };
    const own = found.value.find(({ text }) => markIn(text) === key);
    if (own) return { kind: 'done', result: { id: own.id, date: own.date }, ...restOf(found) };
    return { kind: 'next', payload: { ...payload, isLookedUp: true }, ...restOf(found) };
  }
  const posted = await client.postComment(externalId, payload.text ?? '');
  const failed = { ...payload, isLookedUp: false };
  if (posted.kind !== 'ok') return { kind: 'response', failure: posted, payload: failed, ...restOf(posted) };
  return { kind: 'done', result: posted.value, ...restOf(posted) };
}
