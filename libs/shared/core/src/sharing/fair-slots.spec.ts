import { describe, expect, it } from '@jest/globals';
import { createFairSlots } from './fair-slots.ts';

/** Enters and says who was let in, in order. */
function scene(options: Parameters<typeof createFairSlots>[0]) {
  const slots = createFairSlots(options);
  const entered: { name: string; leave: () => void }[] = [];
  const refused: string[] = [];
  const enter = (key: string, name: string, signal?: AbortSignal) =>
    void slots.enter(key, signal).then((leave) => (leave ? entered.push({ name, leave }) : refused.push(name)));
  return { enter, entered, refused, names: () => entered.map(({ name }) => name) };
}
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('fair slots', () => {
  it('let a key in although another waits for many', async () => {
    const { enter, names } = scene({ slots: 4, maxWaiting: 100 });
    for (let n = 1; n <= 10; n += 1) enter('greedy', `greedy ${n}`);
    enter('modest', 'modest');
    await settle();
    expect(names()).toEqual(['greedy 1', 'greedy 2', 'modest']);
  });

  it('take those that wait by turns of their keys', async () => {
    const { enter, entered, names } = scene({ slots: 1, maxWaiting: 100 });
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2']) enter(name[0] as string, name);
    for (let n = 0; n < 5; n += 1) {
      await settle();
      entered[n]?.leave();
    }
    expect(names()).toEqual(['a1', 'a2', 'b1', 'a3', 'b2']);
  });

  it('refuse more than may wait, and let those go that give up', async () => {
    const { enter, entered, names, refused } = scene({ slots: 1, maxWaiting: 2 });
    const controller = new AbortController();
    enter('a', 'runs');
    enter('a', 'gives up', controller.signal);
    enter('a', 'one too many');
    await settle();
    expect(refused).toEqual(['one too many']);
    controller.abort();
    await settle();
    enter('a', 'comes later');
    entered[0]?.leave();
    await settle();
    expect([names(), refused]).toEqual([
      ['runs', 'comes later'],
      ['one too many', 'gives up'],
    ]);
  });
});
