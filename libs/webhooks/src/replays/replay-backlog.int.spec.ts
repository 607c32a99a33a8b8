import { deliveryStatuses } from '@eas/contracts';
import type { Tx } from '@eas/db';
import { rowsReadBy, useTestDatabase } from '@eas/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Backlog, fillBacklog, learnBacklog } from '../../test/fill-backlog.ts';
import type { Selection } from './replay.ts';
import { countSelected } from './replay.read-model.ts';
import { moveDeliveries } from './replay.store.ts';
import { lockDelivery, setDueAgain } from './resend.store.ts';

const test = useTestDatabase();
let backlog: Backlog;
beforeAll(async () => {
  backlog = await fillBacklog(test);
  // A few that died, at the end of what one endpoint has.
  await test.database.db.query(
    `UPDATE deliveries SET status = 'dead', next_attempt_at = NULL
     WHERE tenant_id = $1 AND endpoint_id = $2 AND event_id = ANY ($3)`,
    [backlog.tenantId, backlog.endpoints[4], backlog.eventIds.slice(-20)],
  );
});

describe.each(['with old statistics', 'with current statistics'])(
  'with a backlog of 100,000 deliveries, %s',
  (known) => {
    beforeAll(async () => {
      if (known === 'with current statistics') await learnBacklog(test);
    });
    const read = (work: (tx: Tx) => Promise<unknown>) =>
      rowsReadBy({ database: test.database, tenantId: backlog.tenantId }, (scope) => work(scope as Tx));
    const selection = (statuses: readonly string[]): Selection => ({
      endpointId: backlog.endpoints[4] ?? '',
      fromId: '',
      beforeId: 'evt_z',
      types: ['task.commented'],
      otherStatuses: deliveryStatuses.filter((status) => !statuses.includes(status)),
      isDeadOnly: statuses.join() === 'dead',
    });
    const step = (statuses: readonly string[]) => ({
      id: 'rpl_none',
      selection: selection(statuses),
      afterId: '',
      limit: 50,
    });

    it('dead deliveries are counted and resent without reading the others', async () => {
      const counted = await read((tx) => countSelected(tx, selection(['dead'])));
      expect(counted['deliveries']).toBeLessThan(500);
      const moved = await read((tx) => moveDeliveries(tx, step(['dead'])));
      expect(moved['deliveries']).toBeLessThan(500);
      expect(moved['events'] ?? 0).toBeLessThan(500);
    });

    it.each([['held'], ['pending']])('a step for %s deliveries reads a bounded number', async (status) => {
      const rows = await read((tx) => moveDeliveries(tx, step([status])));
      expect(rows['deliveries']).toBeLessThan(5_500);
      expect(rows['events'] ?? 0).toBeLessThanOrEqual(5_000);
    });

    it('a delivery that is resent is found by its keys', async () => {
      const [endpointId, eventId] = [backlog.endpoints[2] ?? '', backlog.eventIds[5_000] ?? ''];
      const rows = await read(async (tx) => {
        expect(await lockDelivery(tx, `dlv_${endpointId}${eventId}`)).toMatchObject({ eventId, isOpen: true });
        await setDueAgain(tx, { eventId, endpointId });
      });
      expect(rows['deliveries']).toBeLessThanOrEqual(4);
      expect(rows['events'] ?? 0).toBeLessThanOrEqual(1);
    });
  },
);
