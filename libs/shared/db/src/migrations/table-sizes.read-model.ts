import type { Db } from '../connection/db.ts';

/** What the tables of a kind take up with indexes and large values; `rows`: of its main table, estimated. */
export type TableSize = {
  kind: 'tasks' | 'runs' | 'events' | 'deliveries' | 'receipts' | 'sessions' | 'figures' | 'other';
  bytes: number;
  rows: number;
};

/** By main table: the tables that belong to it, as a regular expression. */
const kinds: readonly { kind: TableSize['kind']; main: string; tables: string }[] = [
  { kind: 'tasks', main: 'tasks', tables: 'tasks|task_.*|leases|inputs|directives|artifacts' },
  { kind: 'runs', main: 'workflow_runs', tables: 'workflow_runs|run_.*|step_.*' },
  { kind: 'events', main: 'events', tables: 'events|event_.*|outbox' },
  { kind: 'deliveries', main: 'deliveries', tables: 'deliveries|attempts' },
  { kind: 'receipts', main: 'inbound_events', tables: 'inbound_.*|platform_.*' },
  { kind: 'sessions', main: 'session_batches', tables: 'session_batches|model_calls' },
  { kind: 'figures', main: 'analytics_task_facts', tables: 'analytics_.*|tenant_usage.*' },
];

const sizesSql = `
  SELECT coalesce(k.kind, 'other') AS kind, sum(t.bytes)::float8 AS bytes,
    coalesce(sum(t.rows) FILTER (WHERE t.name = k.main), 0)::float8 AS rows
  FROM (
    SELECT coalesce(parent.relname, c.relname) AS name, pg_total_relation_size(c.oid) AS bytes, greatest(c.reltuples, 0) AS rows
    FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid LEFT JOIN pg_class parent ON parent.oid = i.inhparent
    WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
  ) AS t
  LEFT JOIN jsonb_to_recordset($1) AS k (kind text, main text, tables text) ON t.name ~ ('^(' || k.tables || ')$')
  GROUP BY 1 ORDER BY 2 DESC`;

/** Sizes of all tables, the largest kind first. */
export const readTableSizes = (db: Db): Promise<TableSize[]> => db.query<TableSize>(sizesSql, [JSON.stringify(kinds)]);
