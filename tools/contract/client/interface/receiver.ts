// Sections 4, 6 and 7: the receiver of webhooks from a task-management platform.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { call, eventually, type Json, ok, type Reply, run } from './call.ts';
import { assertForm, text } from './forms.ts';

const path = '/webhook/taskplatform';
/** Senders have no key of the API. */
const send = (body: unknown, to = path): Promise<Reply> => call(to, { key: null, body });
const ids = {
  task_id: `task-${run}`,
  list_id: `list-${run}`,
  folder_id: `folder-${run}`,
  space_id: `space-${run}`,
  goal_id: `goal-${run}`,
  key_result_id: `key-result-${run}`,
};
type Id = keyof typeof ids;
const history_items = [{ field: 'status', before: 'to do', after: 'in progress' }];

type Kind = { events: string[]; id: Id; optional: object; data: Record<string, unknown> };
const kinds: Record<string, Kind> = {
  Task: {
    events: ['taskCreated', 'taskUpdated'],
    id: 'task_id',
    optional: { list_id: ids.list_id, folder_id: ids.folder_id, space_id: ids.space_id, history_items },
    data: {
      name: 'Limit failed logins',
      status: { status: 'to do', orderindex: 0 },
      priority: 2,
      due_date: '2027-01-31T10:00:00Z',
      tags: ['security'],
    },
  },
  List: {
    events: ['listUpdated'],
    id: 'list_id',
    optional: { space_id: ids.space_id },
    data: { name: 'Sprint 12', archived: false },
  },
  Folder: {
    events: ['folderUpdated'],
    id: 'folder_id',
    optional: { space_id: ids.space_id },
    data: { name: 'Web' },
  },
  Space: { events: ['spaceUpdated'], id: 'space_id', optional: {}, data: { name: 'Engineering', private: true } },
  Goal: { events: ['goalUpdated'], id: 'goal_id', optional: {}, data: { name: 'Faster', percent_completed: 62.5 } },
  'Key result': {
    events: ['keyResultUpdated'],
    id: 'key_result_id',
    optional: { goal_id: ids.goal_id },
    data: { name: 'Latency', current: 120.5, target: 100 },
  },
};
const aTask = { event: 'taskUpdated', task_id: ids.task_id };

function assertAccepted({ status, body, text: reply }: Reply): void {
  assert.equal(status, 200, reply);
  assert.deepEqual(body, { ok: true });
}
function assertRefused({ status, text: reply }: Reply): void {
  assert.equal(status, 400, reply);
}

/** The body of the newest event with this name, as the service kept it. */
async function keptBody(event: string): Promise<Json> {
  const { data } = await ok(`/v1/inbound-events?event=${event}&limit=1`);
  return JSON.parse((await ok(`/v1/inbound-events/${data[0].id}`)).body);
}

describe('inbound webhook receiver', () => {
  // Tasks without a role would go to the agents of other tests.
  after(async () => {
    assertAccepted(await send({ event: 'taskDeleted', task_id: ids.task_id }));
    const read = (): Promise<Json> => ok(`/v1/tasks?metadata.ticket_id=${ids.task_id}`);
    const { data } = await eventually(read, (page) => page.data[0]?.status === 'cancelled');
    assert.equal(data[0].status, 'cancelled');
  });

  for (const [kind, { events, id, optional, data }] of Object.entries(kinds))
    describe(`4 events of the kind ${kind}`, () => {
      const plain = { event: events[0], [id]: ids[id] };
      for (const event of events)
        it(`${event} is accepted with ${id} alone`, async () => assertAccepted(await send({ event, [id]: ids[id] })));
      it(`event is required in addition to ${id}`, async () => assertRefused(await send({ [id]: ids[id] })));
      it(`${events[0]} requires ${id}`, async () => assertRefused(await send({ event: events[0] })));
      it(`${id} of ${events[0]} is a string`, async () => assertRefused(await send({ ...plain, [id]: 7 })));
      for (const [field, value] of Object.entries({ webhook_id: `hook-${run}`, ...optional, data }))
        it(`${events[0]} takes ${field}`, async () => assertAccepted(await send({ ...plain, [field]: value })));
      for (const [key, value] of Object.entries(data))
        it(`data of ${events[0]} takes ${key}`, async () =>
          assertAccepted(await send({ ...plain, data: { [key]: value } })));
    });

  describe('4 fields of all events', () => {
    it('event is a string', async () => assertRefused(await send({ ...aTask, event: 7 })));
    it('webhook_id is a string', async () => assertRefused(await send({ ...aTask, webhook_id: 7 })));
    it('history_items is an array', async () => assertRefused(await send({ ...aTask, history_items: {} })));
    it('data is an object', async () => assertRefused(await send({ ...aTask, data: 'text' })));
    it('history entries with field, before and after are accepted', async () =>
      assertAccepted(await send({ ...aTask, history_items: [{ field: 'priority', before: 2, after: 1 }] })));
    it('history entries with field, added and removed are accepted', async () =>
      assertAccepted(await send({ ...aTask, history_items: [{ field: 'tag', added: ['api'], removed: ['web'] }] })));
    it('extra, unknown fields are accepted and preserved', async () => {
      const body = {
        event: 'spaceUpdated',
        space_id: ids.space_id,
        extra: { nested: [1, null] },
        data: { name: 'Engineering', color: 'red' },
      };
      assertAccepted(await send(body));
      assert.deepEqual(await keptBody('spaceUpdated'), body);
    });
  });

  describe('7 errors of the receiver', () => {
    const bodies: [string, number, () => Promise<Reply>][] = [
      ['a malformed payload', 400, () => send('{"event":')],
      ['invalid fields', 400, () => send({ ...aTask, task_id: 7 })],
      ['an unknown resource', 404, () => send(aTask, '/webhook/nonsense')],
    ];
    for (const [what, status, request] of bodies) {
      it(`the receiver responds to ${what} with ${status}`, async () => assert.equal((await request()).status, status));
      it(`the receiver's body for ${what} is {error: {message, code}}`, async () => {
        const { body } = await request();
        assert.deepEqual([Object.keys(body), Object.keys(body.error).toSorted()], [['error'], ['code', 'message']]);
        for (const value of Object.values(body.error)) assertForm(value, text);
      });
    }
  });
});
