import type { UseCaseContext } from '@eas/db';
import { readTaskStates } from '@eas/tasks';
import { type CallOutcome, type OpenAccess, restOf, type TakenCall } from '@eas/platform-calls';
import {
  lockPlatformThings,
  type PlatformClient,
  readTaskLinks,
  rememberStatusType,
  saveTaskLinks,
  statusMeaning,
  statusTypeOf,
  type TaskLink,
} from '@eas/task-platform';
import { applyOne } from './read-task.ts';

/** Where nothing says how the platform calls it. */
const usualWord = 'complete';

/**
 * Sets the status of a task that an agent has completed. The link knows the word before the platform does, so that the
 * webhook about this change changes nothing, whenever it comes.
 */
export async function setStatus(
  ctx: UseCaseContext,
  client: PlatformClient,
  call: TakenCall,
  access: OpenAccess,
): Promise<CallOutcome> {
  const [link] = await readTaskLinks(ctx, [keyOf(call)]);
  const state = (await readTaskStates(ctx, [call.payload.taskId ?? ''])).get(call.payload.taskId ?? '');
  // It was opened again, or the platform knows already.
  if (!link || state?.status !== 'completed' || isDone(link, access)) return { kind: 'done' };
  const word = call.payload.status ?? knownWord(link, access);
  if (word === undefined) return findWord(client, call, link);
  await rememberWord(ctx, call, { word, before: link.platformStatus, type: 'done' });
  const response = await client.setStatus(call.externalId, word);
  if (response.kind === 'ok')
    return { kind: 'done', ...restOf(response), apply: (inside) => applyOne(inside, call, response.value) };
  const isRefused = response.kind === 'refused' || response.kind === 'gone';
  if (isRefused) await rememberWord(ctx, call, { word: link.platformStatus, before: word });
  return { kind: 'response', failure: response, ...restOf(response) };
}

const keyOf = ({ integrationId: integrationRef, externalId }: TakenCall) => ({ integrationRef, externalId });

function isDone({ platformStatus: word, details }: TaskLink, { statusMap }: OpenAccess): boolean {
  return word !== null && statusMeaning(statusMap ?? {}, word, statusTypeOf(details, word)) === 'completed';
}

/** The integration's own word, the one that it maps to completed, or one that the platform has called done or closed. */
function knownWord({ details }: TaskLink, { writeBack, statusMap }: OpenAccess): string | undefined {
  const mapped = Object.entries(statusMap ?? {}).find(([, meaning]) => meaning === 'completed')?.[0];
  const typed = (details.status_types ?? []).find(({ type }) => type === 'done' || type === 'closed')?.word;
  return (writeBack?.status?.completed || undefined) ?? mapped ?? typed;
}

/** From the statuses of its list; the call that sets it comes next. */
async function findWord(client: PlatformClient, call: TakenCall, { details }: TaskLink): Promise<CallOutcome> {
  const next = (status: string) => ({ kind: 'next' as const, payload: { ...call.payload, status } });
  if (details.list === undefined) return next(usualWord);
  const response = await client.readStatuses(details.list);
  if (response.kind !== 'ok' && response.kind !== 'gone' && response.kind !== 'refused')
    return { kind: 'response', failure: response, ...restOf(response) };
  const statuses = response.kind === 'ok' ? response.value : [];
  const ofType = (wanted: string) => statuses.find(({ type }) => type === wanted)?.status;
  return { ...next(ofType('done') ?? ofType('closed') ?? usualWord), ...restOf(response) };
}

/** Has the link say that the platform's status is the word, if it still says what it said. */
async function rememberWord(
  ctx: UseCaseContext,
  call: TakenCall,
  { word, before, type }: { word: string | null; before: string | null; type?: string },
): Promise<void> {
  await ctx.inTransaction(async (tx) => {
    await lockPlatformThings(tx, [keyOf(call)]);
    const [link] = await readTaskLinks(tx, [keyOf(call)]);
    if (!link || link.platformStatus !== before) return;
    const details = { ...link.details };
    // Until the platform says its type: a webhook that names it changes nothing either.
    if (word !== null && type !== undefined && statusTypeOf(details, word) === null)
      rememberStatusType(details, word, type);
    await saveTaskLinks(tx, [{ ...link, platformStatus: word, details }]);
  });
}
