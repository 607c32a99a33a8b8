import { addToFinding } from '@eas/tasks';
import {
  type CallOutcome,
  type FailedCheck,
  type PlatformFailure,
  restOf,
  type TakenCall,
  type WantedChecks,
} from '@eas/platform-calls';
import { type CheckRun, checksText, checkText, isRed, plain, type SourceHostClient } from '@eas/source-host';

/** Reads what failed checks say, one after the other, and adds it to what the task was sent back with. */
export async function readChecks(client: SourceHostClient, call: TakenCall): Promise<CallOutcome> {
  const { checks, taskId } = call.payload;
  if (!checks || taskId === undefined) return { kind: 'failed', reason: 'the call does not say what to read' };
  const { left } = checks;
  return left ? readNext(client, call, { ...checks, left, taskId }) : findFailed(client, call, checks);
}

/** Checks that are read: where there are more, these say enough. */
const maxChecks = 3;

async function findFailed(client: SourceHostClient, call: TakenCall, checks: WantedChecks): Promise<CallOutcome> {
  const response = await client.findCheckRuns(checks.repository, checks.suite);
  if (response.kind !== 'ok') return failed(response, checks);
  const left = response.value.check_runs
    .filter(({ conclusion }) => isRed(conclusion ?? ''))
    .slice(0, maxChecks)
    .map(failedCheck);
  if (left.length === 0) return { kind: 'done', ...restOf(response) };
  return { kind: 'next', payload: { ...call.payload, checks: { ...checks, left, said: [] } }, ...restOf(response) };
}

function failedCheck({ id, name, conclusion, output, app }: CheckRun): FailedCheck {
  const said = [output?.title, output?.summary].filter((part) => typeof part === 'string' && part.trim() !== '');
  return {
    id,
    name: plain(name),
    conclusion: conclusion ?? '',
    said: plain(said.join('\n\n')).slice(0, 4_000).toWellFormed(),
    hasAnnotations: (output?.annotations_count ?? 0) > 0,
    // A job of the source host's own, whose id it has.
    hasLog: app?.slug === 'github-actions',
  };
}

type Reading = WantedChecks & { left: FailedCheck[]; taskId: string };

async function readNext(client: SourceHostClient, call: TakenCall, reading: Reading): Promise<CallOutcome> {
  const { left, said = [], taskId, ...checks } = reading;
  const [check, ...rest] = left;
  if (!check) return { kind: 'failed', reason: 'the call does not say what to read' };
  const { repository, sha } = checks;
  const noted = check.hasAnnotations ? await client.findAnnotations(repository, check.id) : undefined;
  if (noted?.kind === 'unavailable' || noted?.kind === 'limited')
    return { kind: 'response', failure: noted, ...restOf(noted) };
  const annotations = noted?.kind === 'ok' ? noted.value : [];
  const log = check.hasLog ? await client.readJobLog(repository, check.id) : undefined;
  const all = [...said, checkText({ ...check, annotations, log })];
  const pause = noted ? restOf(noted) : {};
  if (rest.length > 0)
    return { kind: 'next', payload: { ...call.payload, checks: { ...checks, left: rest, said: all } }, ...pause };
  const text = checksText(checks, all);
  return { kind: 'done', apply: (ctx) => addToFinding(ctx, { taskId, text, sha }), ...pause };
}

/** A token without the right is no reason to call the integration broken: its other calls are made. */
function failed(failure: PlatformFailure & { restUntil?: number }, { repository }: WantedChecks): CallOutcome {
  const isWithheld = failure.kind === 'gone' || (failure.kind === 'denied' && failure.status === 403);
  if (!isWithheld) return { kind: 'response', failure, ...restOf(failure) };
  const advice = `Give the token the rights to read checks and actions of ${repository}.`;
  return { kind: 'failed', reason: `what failed checks say cannot be read: ${failure.reason}. ${advice}` };
}
