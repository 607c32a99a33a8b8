import { isDeepStrictEqual } from 'node:util';
import type { Acceptance } from '@eas/contracts';
import type { DbScope } from '@eas/db';
import { findAcceptanceOfLease } from './acceptance.read-model.ts';
import { type Misfits, misfitsOf } from './result-schema.ts';

type Schema = NonNullable<Acceptance['result_schema']>;

export type ResultCheck = { schema: Schema; misfits: Misfits };

/** Checks a result before the transaction that completes the task, because a check may wait. Undefined: there is no schema. */
export async function checkResult(
  scope: DbScope,
  leaseId: string,
  result: Record<string, unknown> = {},
): Promise<ResultCheck | undefined> {
  const schema = (await findAcceptanceOfLease(scope, leaseId))?.result_schema;
  return schema && { schema, misfits: await misfitsOf(scope.tenantId, schema, result) };
}

/** The result of the earlier check, or of a new one if the schema has changed since. */
export async function misfitsNow(
  { tenantId }: Pick<DbScope, 'tenantId'>,
  check: ResultCheck | undefined,
  { schema, result }: { schema: Schema; result: Record<string, unknown> },
): Promise<Misfits> {
  return check && isDeepStrictEqual(check.schema, schema) ? check.misfits : misfitsOf(tenantId, schema, result);
}
