import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { platformTask } from '../api/platform-task.ts';
import { readApiTask } from './api-task.ts';
import { readReportedTask, type ReportedTask } from './task-change.ts';
import { emptyMemory, type LinkMemory, mergeReported } from './task-link.ts';

const rules = {
  meaningOf: (word: string) => (word === 'done' ? ('completed' as const) : ('hold' as const)),
  targetOf: () => undefined,
  targetOfLabel: () => undefined,
  projectOfPlace: () => undefined,
};

describe('a task that was read from the API', () => {
  it('says what a webhook would say, with the date of its last change', async () => {
    const read = platformTask.parse({
      id: '86a',
      date_updated: '1642736073330',
      name: 'Limit logins',
      text_content: 'Five a minute.',
      status: { status: 'to do', type: 'open' },
      priority: { id: '2', priority: 'high' },
      due_date: '1642800000000',
      tags: [{ name: 'security' }],
      assignees: [{ id: 183, username: 'John', email: 'john@company.com' }],
      list: { id: '1', name: 'Sprint' },
      folder: { id: '2', name: 'hidden', hidden: true },
      space: { id: '3' },
    });
    const reported = await readApiTask(read);
    const at = 1_642_736_073_330;
    expect(reported).toMatchObject({
      datedAt: at,
      deletedAt: undefined,
      mentions: [{ kind: 'list', id: '1', name: 'Sprint' }],
    });
    expect(reported?.changes).toEqual(
      expect.arrayContaining([
        { field: 'title', value: 'Limit logins', at },
        { field: 'description', value: 'Five a minute.', at },
        { field: 'status', value: 'to do', type: 'open', at },
        { field: 'priority', value: 'high', at },
        { field: 'due_date', value: new Date(1_642_800_000_000), at },
        { field: 'tags', value: ['security'], at },
        { field: 'detail', detail: { name: 'list', value: '1', isQuiet: true }, at },
      ]),
    );
    expect(reported?.changes.filter((one) => one.field === 'detail')).toHaveLength(2);
  });

  it('reports nothing without a date', async () => {
    expect(await readApiTask(platformTask.parse({ id: '86a', date_updated: 'yesterday' }))).toBeUndefined();
  });

  it('ends in the same state as webhooks in any order', async () => {
    const words = ['to do', 'doing', 'done'];
    const change = fc.record({
      field: fc.constantFrom('name', 'content', 'priority', 'status', 'due_date', 'tag_add', 'tag_remove'),
      value: fc.integer({ min: 0, max: 2 }),
      gap: fc.integer({ min: 1, max: 5 }),
      isRead: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { minLength: 1, maxLength: 12 }),
        fc.infiniteStream(fc.nat()),
        async (all, random) => {
          const story = await report(all, words);
          const inOrder = await play(story);
          const mixed = story.map((reported) => ({ reported, at: random.next().value })).sort((a, b) => a.at - b.at);
          expect(await play(mixed.map(({ reported }) => reported))).toEqual(inOrder);
        },
      ),
      { numRuns: 200 },
    );
  });
});

type Step = { field: string; value: number; gap: number; isRead: boolean };

/** What the platform sends of changes one after the other: a webhook each, and now and then the task as it is then. */
async function report(steps: readonly Step[], words: readonly string[]): Promise<ReportedTask[]> {
  let at = 1_000;
  const now: Record<string, unknown> = { id: '86a', name: 'first', text_content: '', priority: null, due_date: null };
  const tags = new Set<string>();
  const reported: ReportedTask[] = [];
  const send = async (item: object) =>
    reported.push(
      await readReportedTask(
        { event: 'taskUpdated', task_id: '86a', history_items: [{ date: at, ...item }] },
        new Date(at),
      ),
    );
  await send({ field: 'name', after: 'first' });
  for (const { field, value, gap, isRead } of steps) {
    at += gap;
    if (field === 'name') await send({ field, after: (now['name'] = `name ${value}`) });
    else if (field === 'content') await send({ field, after: (now['text_content'] = `text ${value}`) });
    else if (field === 'priority') await send({ field, after: (now['priority'] = { id: String(value + 1) }) });
    else if (field === 'due_date') await send({ field, after: (now['due_date'] = 1_000 * (value + 1)) });
    else if (field === 'status') await send({ field, after: (now['status'] = { status: words[value] }) });
    else if (field === 'tag_add') {
      tags.add(`tag ${value}`);
      await send({ field: 'tag', after: [{ name: `tag ${value}` }] });
    } else if (tags.delete(`tag ${value}`)) await send({ field: 'tag_removed', before: [{ name: `tag ${value}` }] });
    if (!isRead) continue;
    const read = await readApiTask(
      platformTask.parse({ ...now, date_updated: at, tags: [...tags].map((name) => ({ name })) }),
    );
    if (read) reported.push(read);
  }
  return reported;
}

async function play(story: readonly ReportedTask[]) {
  let memory: LinkMemory = emptyMemory;
  let fields: Record<string, unknown> = {};
  let tags = new Set<string>();
  for (const reported of story) {
    const merged = mergeReported(memory, reported, rules);
    memory = merged.memory;
    const { tags: whole, addedTags = [], removedTags = [], ...rest } = merged.patch.changes;
    fields = { ...fields, ...rest };
    tags = new Set([...(whole ?? tags), ...addedTags]);
    for (const tag of removedTags) tags.delete(tag);
  }
  return { fields, tags: [...tags].sort(), status: memory.platformStatus };
}
