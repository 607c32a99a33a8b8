import { typesFor } from '@eas/contracts';
import { type DbScope, rowByKeySql } from '@eas/db';
import type { TaskFactsOfTask } from './newest-facts.ts';

/** Maximum number of events to read in one transaction. */
const maxEvents = 2_000;

// Each event is looked up by its number, in the one month that its id names.
const afterSql = `
  SELECT n.number::float8 AS number, n.event_id AS "eventId", e.task_id AS "taskId", e.facts
  FROM (SELECT number, event_id FROM event_numbers WHERE tenant_id = $1 AND number > $2 ORDER BY number LIMIT $4) AS n
  ${rowByKeySql('e', {
    select: `CASE WHEN event_type = ANY ($3) THEN data ->> 'task_id' END AS task_id,
      CASE WHEN event_type = ANY ($3) THEN facts END AS facts`,
    from: 'events',
    where: 'tenant_id = $1 AND event_id = n.event_id',
    outer: true,
  })}
  ORDER BY n.number`;

export type FollowedFacts = TaskFactsOfTask & { eventId: string };

/**
 * The facts of the tasks that the events after a number are about, in order. `to`: the number up to which was read,
 * `isMore`: there are perhaps others. Events that are no longer stored are skipped.
 */
export async function readFactsAfter(
  { db, tenantId }: DbScope,
  number: number,
): Promise<{ facts: FollowedFacts[]; to: number; isMore: boolean }> {
  const values = [tenantId, number, typesFor('facts.follow'), maxEvents];
  type Row = { number: number; eventId: string; taskId: string | null; facts: TaskFactsOfTask | null };
  const rows = await db.query<Row>(afterSql, values);
  const facts = rows.flatMap(({ eventId, taskId, facts: own }) =>
    own && taskId !== null ? [{ ...own, task_id: taskId, eventId }] : [],
  );
  return { facts, to: rows.at(-1)?.number ?? number, isMore: rows.length === maxEvents };
}
