import { runsOf, useTestDatabase } from '@eas/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { inboundScene, linkedTask } from '../../test/inbound-scene.ts';
import { checkSuiteBody, issueBody, issueCommentBody, pullRequestBody, reviewBody } from '@eas/source-host/bodies';
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
  const merge = actions.indexOf('merged');
  // Nothing is merged twice, closed or opened after that.
  const possible = actions.filter((one, index) => merge < 0 || index <= merge || !/merged|closed|reopened/.test(one));
  return ['opened', ...possible].map((one, index): Sent => {
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

/** Any order of a stream, with repeats of everything but its beginning. */
function shuffled(stream: Sent[], keys: Iterator<number>): Sent[] {
  return [...stream, ...stream.slice(1)]
    .map((one): [number, Sent] => [keys.next().value ?? 0, one])
    .sort(([a], [b]) => a - b)
    .map(([, one]) => one);
}
const order = fc.infiniteStream(fc.nat());

describe('what a source host reports of a pull request', () => {
  it('ends the same in any order, with repeats, together and one by one', async () => {
    const actions = fc.array(action, { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(actions, fc.boolean(), order, fc.boolean(), async (all, isNamedInTitle, keys, oneByOne) => {
        const play = async (arrange: (stream: Sent[]) => Sent[], options: { oneByOne?: boolean }) => {
          const host = await sourceHostScene(test, scene);
          const taskId = await host.newTask();
          await host.play(arrange(streamOf(all, taskId, isNamedInTitle)), options);
          return endOf(host, taskId);
        };
        const end = await play((stream) => shuffled(stream, keys), { oneByOne });
        expect(end).toEqual(await play((stream) => stream, {}));
      }),
      { numRuns: runsOf(6, 24) },
    );
  });
});

const issueAction = fc.oneof(
  fc.record({ action: fc.constant('edited'), title: fc.constantFrom('a', 'b') }),
  fc.record({ action: fc.constant('labeled'), labels: fc.constantFrom(['bug'], ['bug', 'ui'], ['question']) }),
  fc.record({ action: fc.constant('unlabeled'), labels: fc.constant([]) }),
  fc.record({ action: fc.constant('closed'), state_reason: fc.constantFrom('completed', 'not_planned') }),
  fc.record({ action: fc.constant('reopened') }),
  fc.record({ action: fc.constantFrom('created', 'changed', 'withdrawn') }),
);
type IssueAction = { action: string; title?: string; labels?: readonly string[]; state_reason?: string | undefined };

/** Comments are made while the issue has a label that makes it a task: before that they belong to no task. */
function issueStream(actions: readonly IssueAction[]): Sent[] {
  let shown: IssueAction & { state: string } = { action: 'opened', labels: [], state: 'open' };
  return [shown, ...actions].flatMap(({ action: name, ...over }, index): Sent[] => {
    const at = index + 1;
    shown = { ...shown, ...over };
    if (name === 'closed') shown = { ...shown, state: 'closed' };
    if (name === 'reopened') shown = { ...shown, state: 'open', state_reason: undefined };
    const { action: _action, ...issue } = shown;
    const commented = { created: 'created', changed: 'edited', withdrawn: 'deleted' }[name];
    if (commented === undefined) return [['issues', issueBody(name, at, issue as object)]];
    if (shown.labels?.length === 0) return [];
    return [['issue_comment', issueCommentBody(commented, at, { body: `said ${at}` }, issue as object)]];
  });
}

describe('what a source host reports of an issue', () => {
  it('ends with the same task in any order, with repeats, together and one by one', async () => {
    const actions = fc.array(issueAction, { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(actions, order, fc.boolean(), async (all, keys, oneByOne) => {
        const play = async (stream: Sent[], options: { oneByOne?: boolean }) => {
          const host = await sourceHostScene(test, scene, { labels: { bug: 'rd', question: 'pm' } });
          await host.play(stream, options);
          const found = await linkedTask(test, host.tenantId, 'Codertocat/Hello-World#12');
          if (!found) return undefined;
          const { id: _id, platformStatus: _status, platform: _platform, ...task } = found;
          // A task that was opened again is open, one that never ended is created: both wait to be worked on.
          return { ...task, status: task['status'] === 'created' ? 'open' : task['status'] };
        };
        const stream = issueStream(all);
        expect(await play(shuffled(stream, keys), { oneByOne })).toEqual(await play(stream, {}));
      }),
      { numRuns: runsOf(8, 30) },
    );
  });
});
