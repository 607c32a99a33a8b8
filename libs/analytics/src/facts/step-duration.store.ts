import type { StoredEvent } from '@eas/contracts';
import type { DbScope } from '@eas/db';
import { lockFacts } from './fact.store.ts';

const addSql = 'SELECT add_durations($1::json)';

/** Adds how long steps took, each by itself and all together. Events of an earlier version do not say when it started. */
export async function addStepDurations(
  scope: DbScope,
  events: readonly StoredEvent<'workflow.step_completed'>[],
): Promise<void> {
  const parts = events.flatMap((event) => partsOf(scope.tenantId, event));
  if (parts.length === 0) return;
  await lockFacts(scope);
  await scope.db.query(addSql, [JSON.stringify(parts)]);
}

function partsOf(tenantId: string, { data }: StoredEvent<'workflow.step_completed'>): object[] {
  if (data.step_key === undefined || data.started_at === undefined) return [];
  const part = {
    tenant_id: tenantId,
    day: data.completion_time.slice(0, 10),
    sign: 1,
    rounds: data.attempt - 1,
    cycle_ms: Math.max(0, Date.parse(data.completion_time) - Date.parse(data.started_at)),
  };
  return [
    { ...part, dimension: 'steps', key: '' },
    { ...part, dimension: 'step', key: `${data.workflow_id}/${data.step_key}` },
  ];
}
