import type { Acceptance } from '@eas/contracts';
import { listTimeline } from '@eas/tasks';
import type { useTestDatabase } from '@eas/testing';
import type { inboundScene } from './inbound-scene.ts';
import { pushedBranch, pushedTaskScene } from './pushed-task-scene.ts';
import { pullRequestBody, type PullRequestOver, reviewBody, reviewCommentBody } from '@eas/source-host/bodies';

export type HandedIn = ReturnType<typeof handedInScene>;

/** Makes tasks whose agents have pushed `sha-1` and are done, with the pull requests of their branches. */
export function handedInScene(
  test: Pick<ReturnType<typeof useTestDatabase>, 'context' | 'createTenant' | 'database'>,
  scene: ReturnType<typeof inboundScene>,
) {
  return async function handedIn({
    maxReworkRounds = 3,
    contract,
  }: { maxReworkRounds?: number; contract?: Acceptance } = {}) {
    const work = await pushedTaskScene(test, { integration: { org_name: 'codertocat' }, maxReworkRounds });
    const { secret, integrationId, tenantId, ctx } = work;
    const taskId = await work.newTask(contract);
    const over = { ref: `task/${taskId}` };
    const play = async (...sent: [event: string, body: object][]) => {
      for (const [event, one] of sent) await scene.sendSourceHost(event, one, { secret, to: integrationId });
      await scene.apply(tenantId);
    };
    const pr = (action: string, at: number, more: PullRequestOver = {}): [string, object] => [
      'pull_request',
      pullRequestBody(action, at, { ...over, ...more }),
    ];
    const review = (at: number, shown: Record<string, unknown>, action = 'submitted'): [string, object] => [
      'pull_request_review',
      reviewBody(action, at, { id: at, author_association: 'MEMBER', body: null, ...shown }, over),
    ];
    const comment = (at: number, shown: Record<string, unknown>, action = 'created'): [string, object] => [
      'pull_request_review_comment',
      reviewCommentBody(action, at, { id: at, path: 'src/a.ts', line: 12, diff_hunk: '@@\n+a', ...shown }, over),
    ];
    await work.work(pushedBranch(taskId));
    await play(pr('opened', 1));
    const status = async () => (await work.shown(taskId)).status;
    /** The messages that the agent of the task gets with its claim. */
    const received = async () => {
      const { context, directives } = await work.claimed();
      return { attempt: context.attempt, texts: directives.map((one) => (one as { content?: string }).content) };
    };
    const timeline = async () => {
      const page = { limit: 100, offset: 0, after: undefined, sort: { field: 'seq', isDescending: false } };
      return (await listTimeline(ctx, taskId, {}, page)).items;
    };
    return { ...work, taskId, play, pr, review, comment, status, received, timeline };
  };
}
