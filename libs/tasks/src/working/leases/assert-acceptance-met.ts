import type { CompleteBody } from '@eas/contracts';
import { AppError } from '@eas/core';
import type { Tx } from '@eas/db';
import type { Task } from '../../records/tasks/task.ts';
import { misfitsNow, type ResultCheck } from '../../records/acceptance/check-result.ts';
import type { Misfits } from '../../records/acceptance/result-schema.ts';
import { artifactKindsOf } from '../../records/acceptance/review.store.ts';

const nothing: Misfits = { paths: [] };

/** Throws 409 `contract` naming all that is missing of what the task asks for. */
export async function assertAcceptanceMet(
  tx: Tx,
  { id, acceptance }: Pick<Task, 'id' | 'acceptance'>,
  { result = {} }: Pick<CompleteBody, 'result'>,
  check: ResultCheck | undefined,
): Promise<void> {
  if (!acceptance) return;
  const { artifacts = [], result_schema: schema } = acceptance;
  const kinds = artifacts.length > 0 ? await artifactKindsOf(tx, id) : [];
  const misfits = schema ? await misfitsNow(tx, check, { schema, result }) : nothing;
  const missing = [
    ...artifacts.filter((kind) => !kinds.includes(kind)).map((kind) => `artifacts.${kind}`),
    ...misfits.paths,
  ];
  if (missing.length === 0) return;
  const reason = misfits.reason === undefined ? '' : ` (${misfits.reason})`;
  throw new AppError('conflict', {
    violations: missing.map((field) => ({ field, constraint: 'contract' })),
    message: `The contract of the task is not met: ${missing.join(', ').slice(0, 2_000).toWellFormed()}${reason}.`,
  });
}
