import { listAudit } from '@eas/access';
import { type AuditEntry, pageOf } from '@eas/contracts';
import { defineRoute, type Route } from '@eas/http';
import { z } from 'zod';
import { adminPage, afterField, page, pagerOf, type PageParts, shownTime } from './page.ts';

const path = '/admin/audit';
const intro = ['Newest entries first. Entries cannot be changed or removed.'];
const columns = ['When', 'What', 'Who', 'Target', 'From', 'Details'];

export const auditRoutes = ({ render }: PageParts): Route[] => [
  defineRoute({
    ...adminPage,
    method: 'GET',
    path,
    summary: 'The audit log',
    query: z.object({ after: afterField }),
    responses: { 200: page('A page of the log.') },
    handler: async (ctx, { query: { after = '' }, principal }) => {
      const entries = await listAudit(ctx, {}, pageOf({ after }));
      const view = { intro, columns, rows: entries.items.map(rowOf), ...pagerOf(path, after, entries) };
      return { status: 200, body: render('list', { title: 'Audit log', principal, section: path }, view) };
    },
  }),
];

function rowOf({ created_at, action, actor_id, target_id, remote_address, data }: AuditEntry) {
  const details = Object.keys(data).length === 0 ? '–' : JSON.stringify(data);
  return { cells: [shownTime(created_at), action, actor_id, target_id ?? '–', remote_address ?? '–', details] };
}
