import type { Tx } from '@eas/db';
import { rowsReadBy, useTestDatabase } from '@eas/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { fillReceipts, learnReceipts, type Receipts } from '../../test/fill-receipts.ts';
import { findReceipt, pageReceipts, type ReceiptFilter } from './receipt.read-model.ts';

const test = useTestDatabase();
let receipts: Receipts;
beforeAll(async () => {
  receipts = await fillReceipts(test);
});

describe.each(['as the planner knew them before', 'as they are'])('beside 100,000 receipts, %s', (known) => {
  beforeAll(async () => {
    if (known === 'as they are') await learnReceipts(test);
  });
  const read = (work: (tx: Tx) => Promise<unknown>) =>
    rowsReadBy({ database: test.database, tenantId: receipts.tenantId }, (scope) => work(scope as Tx));

  it.each<[string, () => ReceiptFilter, number]>([
    ['all of them', () => ({}), 21],
    ['those about a thing', () => ({ external_id: '77' }), 20_000],
    ['those that failed', () => ({ state: 'failed' }), 21],
    ['those of an integration', () => ({ integration_id: receipts.integrationIds[1] as string }), 21],
    ['those of a state', () => ({ state: 'applied' }), 200],
    ['what is nowhere', () => ({ event: 'nothing' }), 20_000],
    [
      'what an integration never failed at',
      () => ({ integration_id: receipts.integrationIds[1] as string, state: 'failed' }),
      200,
    ],
  ])('a page of %s reads a bounded number', async (_name, filter, most) => {
    const rows = await read((tx) => pageReceipts(tx, filter(), { after: undefined, limit: 20 }));
    expect(rows['inbound_events'] ?? 0).toBeLessThanOrEqual(most);
  });

  it('one is found by its key', async () => {
    const rows = await read(async (tx) => expect(await findReceipt(tx, receipts.ids[50_000] ?? '')).toBeDefined());
    expect(rows['inbound_events']).toBe(1);
  });
});
