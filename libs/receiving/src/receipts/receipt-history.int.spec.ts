import { sweepTenantHistory } from '@eas/db';
import { useTestDatabase } from '@eas/testing';
import { expect, it } from '@jest/globals';
import { receiptHistory } from './receipt-history.ts';

const test = useTestDatabase();

const receiptsSql = `
  INSERT INTO inbound_events (tenant_id, id, source, integration_ref, event, body, received_at, status)
  SELECT $1, 'inb_' || ulid_prefix(at) || lpad(n::text, 16, '0'), 'taskplatform', 'int_1', 'taskUpdated', '{}', at, status
  FROM (
    SELECT n, status, app_now() - age * interval '1 day' AS at
    FROM unnest($2::int[], $3::text[]) WITH ORDINALITY AS a (age, status, n)
  ) AS r`;

it('receipts go at their age with their bodies, and those that are still to be processed stay', async () => {
  const tenantId = await test.createTenant();
  const { db } = test.database;
  const receipts = { 1: 'applied', 9: 'applied', 11: 'applied', 12: 'received', 13: 'failed' };
  await db.query(receiptsSql, [tenantId, Object.keys(receipts), Object.values(receipts)]);
  const { signal } = new AbortController();
  const removed: number[] = [];
  await sweepTenantHistory(db, receiptHistory, {
    days: 10,
    exportFolder: undefined,
    onRemoved: (_, rows) => removed.push(rows),
    signal,
  });
  const left = await db.query<{ status: string }>(
    'SELECT status FROM inbound_events WHERE tenant_id = $1 ORDER BY id DESC',
    [tenantId],
  );
  expect([removed, left.map(({ status }) => status)]).toEqual([[2], ['applied', 'applied', 'received']]);
});
