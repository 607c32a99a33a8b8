import { newId } from '@eas/core';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { body, created, item } from '../../test/corpus/bodies.ts';
import { mergePlay, platformReceipt, sourceHostReceipt } from '../../test/merge-play.ts';
import { pullRequestBody } from '@eas/source-host/bodies';

const name = (date: number, after: string) => body('taskUpdated', item('name', date, { after }));
const status = (date: number, word: string) =>
  body('taskStatusUpdated', item('status', date, { after: { status: word } }));
const comment = (event: string, date: number, text: string) =>
  body(event, item('comment', date, { after: '7', comment: { id: '7', text_content: text } }));
const list = (event: string, date: number, after: string) => ({
  event,
  list_id: 'l1',
  history_items: [{ field: 'name', date: String(date), after }],
});

const bodies = [
  created({ data: { name: 'Made' } }),
  name(20, 'First'),
  name(30, 'Last'),
  status(25, 'in progress'),
  status(35, 'parked'),
  comment('taskCommentPosted', 40, 'hello'),
  comment('taskCommentUpdated', 50, 'hello again'),
  list('listUpdated', 20, 'Old'),
  list('listUpdated', 30, 'New'),
];

describe('receipts that are merged without a database', () => {
  it('lead to the same state, fields and comments in any order, also when they are repeated', async () => {
    const reads = await Promise.all(bodies.map(platformReceipt));
    const resultOf = (order: typeof reads) => {
      const { state, task, comments } = mergePlay(order);
      const objects = [...state.objects].map(([key, { data }]) => [key, { ...data, entry: null }]);
      return { links: [...state.links], objects: objects.sort(), task, comments };
    };
    const expected = resultOf(reads);
    expect(expected).toMatchObject({ task: { title: 'Last' }, comments: ['hello again'] });
    const anyOrder = fc.tuple(
      fc.shuffledSubarray(reads, { minLength: reads.length }),
      fc.array(fc.constantFrom(...reads), { maxLength: 5 }),
    );
    fc.assert(fc.property(anyOrder, ([all, more]) => expect(resultOf([...all, ...more])).toEqual(expected)));
  });

  it('change nothing of the state that they are merged with', async () => {
    const reads = await Promise.all(bodies.map(platformReceipt));
    const { state } = mergePlay(reads);
    const before = structuredClone({ links: state.links, objects: state.objects });
    mergePlay(
      [await platformReceipt(name(90, 'Later')), await platformReceipt(list('listUpdated', 90, 'Later'))],
      state,
    );
    expect({ links: state.links, objects: state.objects }).toEqual(before);
  });

  it('keep the deletion of an unknown task, so that older receipts create none and a newer one does', async () => {
    const deleted = await platformReceipt({ ...body('taskDeleted', item('name', 50, {})) });
    const [older, newer] = [await platformReceipt(name(40, 'Older')), await platformReceipt(name(60, 'Newer'))];
    const { outcomes, task } = mergePlay([deleted, older, newer]);
    expect(outcomes).toEqual([
      'deleted before it was received',
      'deleted on the platform at 1970-01-01T00:00:00.050Z',
      'created tsk_1',
    ]);
    expect(task).toEqual({ title: 'Newer' });
  });

  it('link a pull request to the task that it names, and publish a new stage once', async () => {
    const taskId = newId('task');
    const opened = await sourceHostReceipt('pull_request', pullRequestBody('opened', 1, { ref: `task/${taskId}` }));
    if (opened.kind !== 'pull request') throw new Error('it is about a pull request');
    const { repository, stage } = opened.reported;
    const named = { ids: new Set([taskId]), byTicket: new Map() };
    const isNew = { named, newStages: new Set([`int_1 ${repository}#2 ${stage?.key}`]) };
    const first = mergePlay([opened], isNew);
    expect(first.effects.map(({ kind }) => kind)).toEqual(['pull request', 'post reviews', 'stage', 'publish', 'task']);
    expect(first.outcomes).toEqual([
      `linked ${repository}#2 to ${taskId}; reported ${repository}#2 as pr.opened; kept what is new of ${repository}#2`,
    ]);
    const again = mergePlay([opened], { named, pullRequests: first.state.pullRequests });
    expect([again.effects, again.outcomes]).toEqual([[], ['nothing newer than the stored state']]);
  });
});
