import { useTestDatabase } from '@eas/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { inboundScene } from '../../test/inbound-scene.ts';
import { checkSuiteBody, pullRequestBody, reviewBody } from '../../test/source-host-bodies.ts';
import { type Sent, sourceHostScene } from '../../test/source-host-scene.ts';

const test = useTestDatabase();
let scene: ReturnType<typeof inboundScene>;
beforeAll(() => void (scene = inboundScene(test)));

const action = fc.constantFrom(
  'synchronize',
  'edited',
  'closed',
  'reopened',
  'merged',
  'approved',
  'success',
  'failure',
);

/** A body for each action, a second apart; the title or branch names the task. */
function streamOf(actions: readonly string[], taskId: string, isNamedInTitle: boolean): Sent[] {
  const over = isNamedInTitle ? { title: `For ${taskId}` } : { ref: `fix/${taskId}` };
  let state = 'open';
  return ['opened', ...actions].map((one, index): Sent => {
    const at = index + 1;
    if (one === 'success' || one === 'failure') return ['check_suite', checkSuiteBody(at, { id: 7, conclusion: one })];
    const shown = { ...over, state, sha: `sha-${index}` };
    if (one === 'approved') return ['pull_request_review', reviewBody('submitted', at, { id: at }, shown)];
    if (one === 'closed' || one === 'merged') state = 'closed';
    if (one === 'reopened') state = 'open';
    const merged = one === 'merged';
    return ['pull_request', pullRequestBody(merged ? 'closed' : one, at, { ...shown, state, merged })];
  });
}

type Host = Awaited<ReturnType<typeof sourceHostScene>>;
const sorted = (all: object[]) => all.map((one) => JSON.stringify(one)).sort();

/** All that came of a stream: rows, published events, entries and artifacts, whatever their order. */
async function endOf(host: Host, taskId: string) {
  const nameless = (text: string) => text.replaceAll(taskId, 'task');
  const task = await host.task(taskId);
  return {
    rows: sorted(await host.pullRequests()).map(nameless),
    // Checks are published as the pull request is known at that moment.
    events: sorted((await host.events()).map((event) => ({ ...event, title: undefined, branch: undefined }))).map(
      nameless,
    ),
    entries: sorted(
      (await host.timeline(taskId)).map((entry) => ({ ...entry, title: undefined, artifact_id: undefined })),
    ).map(nameless),
    artifacts: task.artifacts.map(({ kind, url }) => `${kind} ${url}`),
    status: task.status,
  };
}

describe('what a source host reports of a pull request', () => {
  it('ends the same in any order, with repeats, together and one by one', async () => {
    const actions = fc.array(action, { minLength: 1, maxLength: 6 });
    const order = fc.infiniteStream(fc.nat());
    await fc.assert(
      fc.asyncProperty(actions, fc.boolean(), order, fc.boolean(), async (all, isNamedInTitle, keys, oneByOne) => {
        const play = async (arrange: (stream: Sent[]) => Sent[], options: { oneByOne?: boolean }) => {
          const host = await sourceHostScene(test, scene);
          const taskId = await host.newTask();
          await host.play(arrange(streamOf(all, taskId, isNamedInTitle)), options);
          return endOf(host, taskId);
        };
        const shuffled = (stream: Sent[]) =>
          [...stream, ...stream.slice(1)]
            .map((one): [number, Sent] => [keys.next().value ?? 0, one])
            .sort(([a], [b]) => a - b)
            .map(([, one]) => one);
        expect(await play(shuffled, { oneByOne })).toEqual(await play((stream) => stream, {}));
      }),
      { numRuns: 20 },
    );
  }, 120_000);
});
