import { AppError } from '@eas/core';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sampleBody, sampleNames } from '../../test/samples.ts';
import { readPlatformEvent } from './platform-event.ts';
import { readReportedTask } from './task-change.ts';

const read = (body: object) => readPlatformEvent(body as Record<string, unknown>);
const refused = (body: object) => expect(() => read(body)).toThrow(AppError);

describe('readPlatformEvent', () => {
  it.each(sampleNames)('takes the sample %s as known', (name) => {
    const received = read(JSON.parse(sampleBody(name).toString()));
    expect(received).toMatchObject({ isKnown: true, externalId: expect.any(String) });
  });

  it('never takes a body of the other, unsigned sender for an event', () => {
    refused(JSON.parse(sampleBody('automationCallWebhook').toString()));
  });

  it.each([
    ['taskCreated', 'task_id', { name: 'a', status: { status: 'open', orderindex: 0 }, priority: 2, tags: ['x'] }],
    ['taskUpdated', 'task_id', { due_date: '2026-12-01T10:00:00Z' }],
    ['taskUpdated', 'task_id', { due_date: '1642734631523' }],
    ['listUpdated', 'list_id', { name: 'a', archived: false }],
    ['folderUpdated', 'folder_id', { name: 'a' }],
    ['spaceUpdated', 'space_id', { name: 'a', private: true }],
    ['goalUpdated', 'goal_id', { name: 'a', percent_completed: 0.5 }],
    ['keyResultUpdated', 'key_result_id', { name: 'a', current: 1.5, target: 10 }],
  ])('%s needs %s alone and reads its data', (event, idField, data) => {
    expect(read({ event, [idField]: 'x1' }).externalId).toBe('x1');
    expect(read({ event, [idField]: 'x1', webhook_id: null, history_items: null, data }).isKnown).toBe(true);
    expect(read({ event, [idField]: 'x1', team_id: 7, history_items: [] }).isKnown).toBe(true);
    refused({ event });
    refused({ event, [idField]: null });
    refused({ event, [idField]: '' });
    refused({ event, [idField]: 7 });
    refused({ event, [idField]: 'x1', webhook_id: 7 });
    refused({ event, [idField]: 'x1', history_items: {} });
    refused({ event, [idField]: 'x1', history_items: ['x'] });
    refused({ event, [idField]: 'x1', history_items: [{ field: 'tags', added: 'x' }] });
    refused({ event, [idField]: 'x1', data: 'x' });
    refused({ event, [idField]: 'x1', data: [] });
    refused({ event, [idField]: 'x1', data: { name: 7 } });
  });

  it.each([
    { priority: 'high' },
    { priority: 1.5 },
    { tags: 'x' },
    { tags: [1] },
    { status: 'open' },
    { status: { status: 1 } },
    { due_date: true },
    { due_date: '' },
    { due_date: 'tomorrow' },
  ])('refuses task data of a wrong type: %j', (data) => refused({ event: 'taskUpdated', task_id: 'x', data }));

  it('keeps a well-formed name that is not known apart, with or without ids', () => {
    expect(read({ event: 'taskArchived', task_id: 'x' })).toMatchObject({ isKnown: false, externalId: 'x' });
    expect(read({ event: 'goalLinked' })).toMatchObject({ isKnown: false, externalId: undefined });
  });

  it.each(['', 'task', 'taskcreated', 'TaskCreated', 'taskCreated ', 'userCreated', 'taskA-b', 'constructor', 7, null])(
    'refuses the name %j',
    (event) => refused({ event, task_id: 'x' }),
  );

  it.each(['docUpdated', 'foo'])('says which names it takes when it refuses %s', (event) => {
    expect(() => read({ event })).toThrow(
      'event must begin with one of task, list, folder, space, goal, keyResult and a capital letter after it',
    );
  });

  it('gives a "__proto__" key no power', () => {
    const body = JSON.parse('{"event":"taskUpdated","__proto__":{"task_id":"x"}}');
    refused(body);
  });

  it('throws nothing but AppError, and what it takes can be read for changes', async () => {
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom('name', 'tags', 'due_date', 'comment', '1642734631523'));
    const item = fc.record(
      {
        id: value,
        field: fc.constantFrom('name', 'content', 'priority', 'due_date', 'tag', 'tags', 'status', 'comment', 'x'),
        date: value,
        before: value,
        after: value,
        added: fc.array(value),
        comment: value,
      },
      { requiredKeys: [] },
    );
    const body = fc.record(
      {
        event: fc.constantFrom('taskCreated', 'taskUpdated', 'taskCommentPosted', 'listUpdated'),
        task_id: fc.oneof({ weight: 5, arbitrary: fc.constant('x') }, { weight: 1, arbitrary: value }),
        list_id: fc.constant('x'),
        history_items: fc.oneof({ weight: 5, arbitrary: fc.array(item) }, { weight: 1, arbitrary: value }),
        data: fc.dictionary(fc.constantFrom('name', 'priority', 'tags', 'status', 'due_date', 'description'), value),
      },
      { requiredKeys: ['event', 'task_id'] },
    );
    await fc.assert(
      fc.asyncProperty(body, async (one) => {
        try {
          read(one);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
          return;
        }
        if (one.event !== 'listUpdated') await readReportedTask(one as never, new Date());
      }),
    );
  });
});
