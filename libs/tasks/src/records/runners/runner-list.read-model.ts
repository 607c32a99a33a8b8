import { type Page, type PageOfItems, runnerPresences, type RunnerListQuery } from '@eas/contracts';
import { type DbScope, equalFields, fetchPage, type ListSource } from '@eas/db';
import { presenceSql, runnerColumns } from './runner.store.ts';
import type { Runner } from './runner.ts';

export type RunnerFilter = Omit<RunnerListQuery, 'limit' | 'offset' | 'after' | 'sort'>;

const source: ListSource = {
  from: 'runners',
  columns: runnerColumns,
  sortable: {
    id: { sql: 'id', type: 'text' },
    agent_id: { sql: 'agent_id', type: 'text' },
    instance: { sql: 'instance', type: 'text' },
    host: { sql: 'host', type: 'text' },
    os: { sql: 'os', type: 'text', isNullable: true },
    version: { sql: 'version', type: 'text' },
    preset: { sql: 'preset', type: 'text', isNullable: true },
    preset_title: { sql: 'preset_title', type: 'text', isNullable: true },
    agent_version: { sql: 'agent_version', type: 'text', isNullable: true },
    concurrency: { sql: 'concurrency', type: 'int' },
    pid: { sql: 'pid', type: 'int', isNullable: true },
    running: { sql: 'running', type: 'int' },
    presence: { sql: presenceSql, type: 'text', order: runnerPresences },
    draining: { sql: "CASE WHEN is_draining THEN 'true' ELSE 'false' END", type: 'text' },
    created_at: { sql: 'created_at', type: 'timestamptz' },
    last_seen_at: { sql: 'last_seen_at', type: 'timestamptz' },
  },
};

export const pageRunners = (scope: DbScope, filter: RunnerFilter, page: Page): Promise<PageOfItems<Runner>> =>
  fetchPage<Runner>(scope, source, equalFields(source, filter), page);
