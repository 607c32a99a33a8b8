import type { FailBody, LeaseResult } from '@eas/contracts';
import { exponentialBackoffMs } from '@eas/core';
import type { UseCaseContext } from '@eas/db';
import { keepLateResult } from './keep-late-result.ts';
import type { LeaseCall, LeaseWork } from './lease-work.ts';
import { failFor } from '../../moves/fail.ts';
import { openAgain, openNotBefore } from '../../moves/open-again.ts';
import { underLease } from './under-lease.ts';
import { dropLease } from '../../moves/withdraw-lease.ts';

/** After this many reported failures a task has failed. */
const maxFailures = 3;
const firstWaitMs = 10_000;
const longestWaitMs = 600_000;

/** The task is tried again later, unless that cannot help or it has failed too often. */
export async function failTask(ctx: UseCaseContext, call: LeaseCall<FailBody>): Promise<LeaseResult> {
  const { fencing_token: _, ...report } = call.body;
  return underLease(ctx, call, (work) => fail(work, report), {
    whenLost: (lost) => keepLateResult(lost, call.body.fencing_token, { call: 'fail', reason: report.reason }),
  });
}

type Report = Omit<FailBody, 'fencing_token'>;

async function fail({ tx, lease, task, change }: LeaseWork, report: Report): Promise<object> {
  const { reason, retryable, retry_after_seconds: seconds } = report;
  dropLease(tx, change, lease.id, 'failed');
  lease.state = 'over';
  task.failures += 1;
  if (!retryable || task.failures >= maxFailures) {
    failFor(change, reason);
    return {};
  }
  const waitMs =
    seconds === undefined ? exponentialBackoffMs(task.failures, firstWaitMs, longestWaitMs) : seconds * 1_000;
  openAgain(change, reason);
  await openNotBefore(tx, change, waitMs);
  return {};
}
