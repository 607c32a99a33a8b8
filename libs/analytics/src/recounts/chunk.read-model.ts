import { caughtUpSql, type DbScope, rowByKeySql } from '@eas/db';
import type { TaskFactsOfTask } from '../facts/newest-facts.ts';
import { countSql, type DayRollup } from '../facts/recount.read-model.ts';

export type Chunk = {
  /** How many tasks were read, and the id of the last; null: there was none. */
  tasks: number;
  lastId: string | null;
  /** The tasks after the last one were created on this day (YYYY-MM-DD) or later. */
  laterFrom: string | null;
  rollups: DayRollup[];
};

/** A task may be created this long before or after the moment in its id. */
const slack = `interval '2 minutes'`;

const state =
  'role, status, created_at, due_date, first_claimed_at, completed_at, code_quality, requirements_clarity, agent, sent_back, ready_at';
const stateOfFacts = state.replaceAll(/\w+/g, '(facts).$&');

// Of a task with events that are not handled yet the figures have what its facts say, or nothing.
const chunkSql = `
  chunk AS (
    SELECT t.*, fact.*, coalesce(fact.recorded, 0) >= t.version OR ${caughtUpSql('facts.follow')} AS is_handled
    FROM (SELECT * FROM analytics_task_view WHERE tenant_id = $1 AND task_id > $2 ORDER BY task_id LIMIT $3) AS t
    ${rowByKeySql('fact', {
      select: 'f.version AS recorded, f AS facts',
      from: 'analytics_task_facts f',
      where: 'f.tenant_id = $1 AND f.task_id = t.task_id',
      outer: true,
    })}
  )`;

const readSql = `
  WITH ${chunkSql}, last AS (
    SELECT task_id, created_at FROM chunk ORDER BY task_id DESC LIMIT 1
  ), counted AS (
    ${countSql} FROM (
      SELECT ${state} FROM chunk WHERE is_handled
      UNION ALL
      SELECT ${stateOfFacts} FROM chunk WHERE NOT is_handled AND recorded IS NOT NULL
    ) AS states GROUP BY 1, 2
  )
  SELECT (SELECT count(*) FROM chunk) AS tasks, (SELECT task_id FROM last) AS "lastId",
    (SELECT to_char((created_at - ${slack}) AT TIME ZONE 'UTC', 'YYYY-MM-DD') FROM last) AS "laterFrom",
    (SELECT coalesce(json_agg(counted), '[]') FROM counted) AS rollups`;

export type ChunkRange = { after: string; limit: number };

/**
 * What the next tasks after an id add to the figures, in one snapshot. A task counts as it is, but for one that has events
 * which the figures cannot have yet: it counts by its facts, as in the figures.
 */
export async function readChunk({ db, tenantId }: DbScope, { after, limit }: ChunkRange): Promise<Chunk> {
  const [chunk] = await db.query<Chunk>(readSql, [tenantId, after, limit]);
  return chunk ?? { tasks: 0, lastId: null, laterFrom: null, rollups: [] };
}

const wrongFactsSql = `
  WITH ${chunkSql}
  SELECT task_id, version, ${state} FROM chunk
  WHERE is_handled AND (recorded IS NULL OR (${state}) IS DISTINCT FROM (${stateOfFacts})) ORDER BY task_id`;

/** What the facts of these tasks should be, where they are not. */
export function readWrongFacts({ db, tenantId }: DbScope, { after, limit }: ChunkRange): Promise<TaskFactsOfTask[]> {
  return db.query<TaskFactsOfTask>(wrongFactsSql, [tenantId, after, limit]);
}
