import { runsOf, useTestDatabase } from '@eas/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Body, CorpusCase } from '../../test/corpus/bodies.ts';
import { corpus } from '../../test/corpus/corpus.ts';
import { corpusScene } from '../../test/corpus-scene.ts';
import { historyOf, inboundScene } from '../../test/inbound-scene.ts';

const test = useTestDatabase();
let scene: ReturnType<typeof inboundScene>;
beforeAll(() => void (scene = inboundScene(test)));

async function endOf(bodies: readonly Body[], options?: { oneByOne: boolean }) {
  const { tenantId, play, end } = await corpusScene(test, scene);
  await play(bodies, options);
  const unsettled = (await scene.receipts(tenantId)).filter(({ status }) => !['applied', 'ignored'].includes(status));
  expect(unsettled).toEqual([]);
  return end();
}

/** A deleted task is none, or one that is over. */
function alive(end: Record<string, unknown> | undefined, bodies: readonly Body[]) {
  const isDeleted = bodies.some(({ event }) => event === 'taskDeleted');
  return isDeleted && (end === undefined || end['status'] === 'cancelled' || end['status'] === 'completed')
    ? 'none'
    : end;
}

/** The same stream as if it had happened later, with dates for its creations. */
function later(bodies: readonly Body[], ms: number): Body[] {
  const shift = (value: unknown) => (value === undefined ? value : String(Number(value) + ms));
  return bodies.map((body) => ({
    ...body,
    history_items: (body.history_items ?? datedCreation(body)).map((item) => ({
      ...item,
      ...('date' in item ? { date: shift(item['date']) } : {}),
      ...('id' in item ? { id: `${String(item['id'])}-${ms}` } : {}),
    })),
  }));
}

const datedCreation = ({ event }: Body) => (event === 'taskCreated' ? [{ field: 'task_creation', date: 1 }] : []);

/** In another order, with some again: as the receiver knows them for repeats, or as another webhook sends them. */
const inAnyOrder = (bodies: readonly Body[]) =>
  fc
    .array(fc.tuple(fc.constantFrom(...bodies), fc.constantFrom('w1', 'w2')), { maxLength: 4 })
    .map((again) => [...bodies, ...again.map(([body, webhook]) => ({ ...body, webhook_id: webhook }))])
    .chain((all) => fc.shuffledSubarray(all, { minLength: all.length }));

const isOrdered = ({ isUndated, isRestored }: CorpusCase) => !isUndated && !isRestored;

const hasNoDeletion = ({ bodies }: CorpusCase) => bodies.every(({ event }) => event !== 'taskDeleted');

describe.each(corpus)('a stream of the platform: $title', ({ bodies, end, ...rest }) => {
  it('ends in the task that it should', async () => {
    expect(await endOf(bodies)).toMatchObject(end);
    expect(await endOf(bodies, { oneByOne: true })).toMatchObject(end);
  });

  if (isOrdered({ bodies, end, ...rest }))
    it('ends in the same task in any order, with repeats', async () => {
      const expected = alive(await endOf(bodies), bodies);
      await fc.assert(
        fc.asyncProperty(inAnyOrder(bodies), fc.boolean(), async (arrived, oneByOne) => {
          expect(alive(await endOf(arrived, { oneByOne }), bodies)).toEqual(expected);
        }),
        { numRuns: runsOf(2, 10) },
      );
    });
});

describe('streams of the platform that follow each other', () => {
  it('end in the same task in any order, with repeats', async () => {
    const streams = fc.shuffledSubarray(corpus.filter(isOrdered).filter(hasNoDeletion), { minLength: 2, maxLength: 3 });
    const histories = streams
      .map((cases) => cases.flatMap(({ bodies }, index) => later(bodies, index * 1_000)))
      .chain((bodies) => fc.tuple(fc.constant(bodies), inAnyOrder(bodies)));
    await fc.assert(
      fc.asyncProperty(histories, fc.boolean(), async ([bodies, arrived], oneByOne) => {
        const expected = alive(await endOf(bodies), bodies);
        expect(alive(await endOf(arrived, { oneByOne }), bodies)).toEqual(expected);
      }),
      { numRuns: runsOf(10, 50) },
    );
  });

  it('have the same entries, events, labels and outcomes in one batch as one by one', async () => {
    const streams = fc.shuffledSubarray(corpus.filter(isOrdered), { minLength: 2, maxLength: 3 });
    const histories = streams
      .map((cases) => cases.flatMap(({ bodies }, index) => later(bodies, index * 1_000)))
      .chain(inAnyOrder);
    await fc.assert(
      fc.asyncProperty(histories, async (bodies) => {
        expect(await historyAfter(bodies, false)).toEqual(await historyAfter(bodies, true));
      }),
      { numRuns: runsOf(10, 50) },
    );
  });
});

/** Without the ids of the tenant's own rows, and the moment of an undated deletion. */
async function historyAfter(bodies: readonly Body[], oneByOne: boolean) {
  const { tenantId, play } = await corpusScene(test, scene);
  await play(bodies, { oneByOne });
  const outcomes = (await scene.receipts(tenantId)).map(({ status, outcome }) => `${status}: ${outcome}`);
  const text = JSON.stringify([outcomes, await historyOf(test, tenantId)]);
  return JSON.parse(
    text.replaceAll(/\b(tsk|agt|int)_[0-9a-z]{26}/g, '$1').replaceAll(/platform at [^"]*/g, ''),
  ) as unknown;
}
