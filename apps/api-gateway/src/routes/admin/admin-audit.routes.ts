import { listAudit } from '@eas/access';
import { auditList, auditListQuery, listBody, pageOf } from '@eas/contracts';
import { defineRoute, type Route } from '@eas/http';

export const adminAuditRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/admin/api/audit',
    operationId: 'listAuditEntries',
    summary: 'List the audit log',
    description: [
      'Returns a page of the audit log: changes of keys, OAuth clients and users, and sign-ins. Use it to find out who did what, and from where.',
    ],
    tags: ['Administration'],
    access: { scope: 'admin' },
    query: auditListQuery,
    responses: { 200: { description: 'A page of the audit log, newest first by default.', schema: auditList } },
    errors: ['invalid_request'],
    handler: async (ctx, { query: { limit, offset, after, sort, ...filter } }) => {
      const page = pageOf({ limit, offset, after, sort });
      return { status: 200, body: listBody(page, await listAudit(ctx, filter, page)) };
    },
  }),
];
