import { pageOf } from '@eas/contracts';
import { rowsReadBy, useTestDatabase } from '@eas/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { matchingEventsAfter } from '../events/matching-event.read-model.ts';
import { type Backlog, fillBacklog, learnBacklog } from '../../test/fill-backlog.ts';
import { readAttempts } from './attempt.read-model.ts';
import { countDead } from './dead-delivery.read-model.ts';
import { listEventEndpoints } from './event-delivery.read-model.ts';
import { type DeliveryFilter, findDelivery, pageDeliveries } from './delivery.read-model.ts';

const test = useTestDatabase();
const few = 500;
let backlog: Backlog;
beforeAll(async () => {
  backlog = await fillBacklog(test);
});

describe.each(['with old statistics', 'with current statistics'])(
  'with a backlog of 100,000 deliveries, %s',
  (known) => {
    beforeAll(async () => {
      if (known === 'with current statistics') await learnBacklog(test);
    });
    const read = (work: Parameters<typeof rowsReadBy>[1]) =>
      rowsReadBy({ database: test.database, tenantId: backlog.tenantId }, work);
    const endpoint = () => backlog.endpoints[4] ?? '';
    const event = () => backlog.eventIds[5_000] ?? '';

    it.each<[string, () => DeliveryFilter, { after?: string }]>([
      ['all', () => ({}), { after: '' }],
      ['those of a status', () => ({ status: 'pending' }), { after: '' }],
      ['dead ones', () => ({ status: 'dead' }), {}],
      ['that of an event', () => ({ event_id: event() }), {}],
    ])('a page of %s reads what it shows and the count of its own endpoint', async (_name, filter, page) => {
      const rows = await read((scope) =>
        pageDeliveries(scope, endpoint(), filter(), pageOf({ ...page, sort: '-event_id' })),
      );
      // Without statistics the page is sorted out of all that the count reads as well: those of this endpoint.
      const ofEndpoint = backlog.eventIds.length;
      expect(rows['deliveries'] ?? 0).toBeLessThanOrEqual(
        known === 'with current statistics' ? ofEndpoint + few : 2 * ofEndpoint,
      );
      expect(rows['events'] ?? 0).toBeLessThan(few);
    });

    it('dead deliveries are counted without reading the others', async () => {
      const dead =
        "UPDATE deliveries SET status = 'dead', next_attempt_at = NULL WHERE endpoint_id = $1 AND event_id = ANY ($2)";
      await test.database.db.query(dead, [endpoint(), backlog.eventIds.slice(0, 150)]);
      const rows = await read(async (scope) => {
        expect(await countDead(scope, new Date(0))).toMatchObject([{ endpointId: endpoint(), count: 100 }]);
      });
      expect(rows['deliveries']).toBeLessThan(few);
    });

    it('a delivery and its attempts are found by their keys', async () => {
      const id = `dlv_${endpoint()}${event()}`;
      const rows = await read(async (scope) => {
        expect(await findDelivery(scope, id)).toMatchObject({ eventId: event() });
        await readAttempts(scope, { eventId: event(), endpointId: endpoint() });
      });
      expect([rows['deliveries'], rows['events']]).toEqual([1, 1]);
    });

    it('a pull reads a bounded number of events by their numbers', async () => {
      const types = (name: string) => ({ types: [name], limit: 20 });
      for (const name of ['task.commented', 'task.created']) {
        const rows = await read((scope) => matchingEventsAfter(scope, 5_000, types(name)));
        expect(Math.max(rows['events'] ?? 0, rows['event_numbers'] ?? 0)).toBeLessThanOrEqual(1_000);
      }
    });

    it('the results of an event are found by its keys', async () => {
      const rows = await read((scope) => listEventEndpoints(scope, event()));
      expect(rows['deliveries']).toBeLessThanOrEqual(2 * backlog.endpoints.length);
    });
  },
);
