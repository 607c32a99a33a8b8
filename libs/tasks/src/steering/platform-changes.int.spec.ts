import { newId } from '@eas/core';
import { contextInTransaction } from '@eas/db';
import { useTestDatabase } from '@eas/testing';
import { describe, expect, it } from '@jest/globals';
import { newTask } from '../../test/new-task.ts';
import { createTask } from '../moves/create-task.ts';
import { getTask } from '../reading/get-task.ts';
import { type PlatformChange, type PlatformChanges, platformChanges } from './platform-changes.ts';

const test = useTestDatabase();

async function setUp() {
  const tenantId = await test.createTenant();
  const person = test.context({ tenantId, actor: { id: newId('apiKey'), isAdmin: true } });
  const [first, second] = await Promise.all([createTask(person, newTask()), createTask(person, newTask())]);
  return { tenantId, person, first: first.id, second: second.id };
}
type Scene = Awaited<ReturnType<typeof setUp>>;

/** Applies changes in one transaction. Returns their results and the number of statements. */
async function play({ person }: Scene, inputs: PlatformChange[], before?: (changes: PlatformChanges) => Promise<void>) {
  let statements = 0;
  const results = await person.inTransaction(async (tx) => {
    const query: typeof tx.db.query = async (...call) => {
      statements += 1;
      return tx.db.query(...call);
    };
    const counted = { ...tx, db: { ...tx.db, query } };
    const changes = platformChanges(counted);
    await before?.(changes);
    const all = [];
    for (const input of inputs) all.push(await changes.apply(contextInTransaction(person, counted), input));
    changes.save();
    return all;
  });
  return { results, statements };
}

describe('changes of a platform that are applied together', () => {
  it('see the previous ones, and are written by the same number of statements as one', async () => {
    const scene = await setUp();
    const { first, second, person } = scene;
    const { results, statements } = await play(
      scene,
      [
        { taskId: first, changes: { title: 'one' } },
        { taskId: second, changes: { title: 'two' }, comments: [{ content: 'a', author: 'John' }] },
        { taskId: first, changes: { title: 'three' }, status: 'hold' },
        { taskId: second, changes: { title: 'two' }, comments: [{ entry: 2, content: 'b' }] },
        { taskId: first, changes: { title: 'three' } },
      ],
      (changes) => changes.lock([first, second]),
    );
    expect(results).toEqual([
      { changed: ['title'], comments: [] },
      { changed: ['title'], comments: [2] },
      { changed: ['title'], comments: [] },
      { changed: [], comments: [2] },
      { changed: [], comments: [] },
    ]);
    // The lock, the rows, the entries, and the entry that was changed.
    expect(statements).toBe(4);
    expect(await getTask(person, first)).toMatchObject({
      version: 3,
      body: { title: 'three', waiting_on: { kind: 'external' } },
    });
    expect(await getTask(person, second)).toMatchObject({ version: 3, body: { activity: [{ content: 'b' }] } });
  });

  it('refuse an unknown task, and change nothing without save', async () => {
    const scene = await setUp();
    await expect(play(scene, [{ taskId: newId('task'), changes: {} }])).rejects.toMatchObject({ code: 'not_found' });
    await scene.person.inTransaction(async (tx) => {
      await platformChanges(tx).apply(scene.person, { taskId: scene.first, changes: { title: 'never' } });
    });
    expect((await getTask(scene.person, scene.first)).body.title).toBe('t');
  });
});
