import { describe, expect, it } from '@jest/globals';
import { createFairSlots } from './fair-slots.ts';

/** Requests slots and lists the callers that got one, in order. */
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
  it('admit a key although another key has many callers waiting', async () => {
    const { enter, names } = scene({ slots: 4, maxWaiting: 100 });
    for (let n = 1; n <= 10; n += 1) enter('noisy', `noisy ${n}`);
    enter('quiet', 'quiet');
    await settle();
    expect(names()).toEqual(['noisy 1', 'noisy 2', 'quiet']);
  });

  it('serve the waiting keys in turns', async () => {
    const { enter, entered, names } = scene({ slots: 1, maxWaiting: 100 });
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2']) enter(name[0] as string, name);
    for (let n = 0; n < 5; n += 1) {
      await settle();
      entered[n]?.leave();
    }
    expect(names()).toEqual(['a1', 'a2', 'b1', 'a3', 'b2']);
  });

  it('refuse callers beyond the limit of waiting ones, and free the place of a caller that gives up', async () => {
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
