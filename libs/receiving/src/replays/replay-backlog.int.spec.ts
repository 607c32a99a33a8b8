import type { Tx } from '@eas/db';
import { rowsReadBy, useTestDatabase } from '@eas/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { fillReceipts, learnReceipts, type Receipts } from '../../test/fill-receipts.ts';
import type { ReceiptFilter } from '../receipts/receipt.read-model.ts';
import { moveReceipts } from './inbound-replay.store.ts';

const test = useTestDatabase();
let receipts: Receipts;
beforeAll(async () => {
  receipts = await fillReceipts(test);
});

describe.each(['as the planner knew them before', 'as they are'])('beside 100,000 receipts, %s', (known) => {
  beforeAll(async () => {
    if (known === 'as they are') await learnReceipts(test);
  });

  it.each<[string, ReceiptFilter, number]>([
    ['those that failed', { state: 'failed' }, 500],
    ['what is nowhere', { state: 'applied', event: 'nothing' }, 5_100],
  ])('a step of a replay of %s reads a bounded number', async (_name, filter, most) => {
    const step = { filter, afterId: '', limit: 20, at: new Date() };
    const rows = await rowsReadBy({ database: test.database, tenantId: receipts.tenantId }, (scope) =>
      moveReceipts({ ...scope, pendingEvents: [] } as unknown as Tx, step),
    );
    expect(rows['inbound_events']).toBeLessThanOrEqual(most);
  });
});
