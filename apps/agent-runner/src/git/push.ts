import type { PushResult } from '../verdict/happened.ts';
import { canPass, plain } from './git-failure.ts';
import { readPush } from './git-lists.ts';
import type { Clone } from './clone.ts';

/** Pushes a commit as the branch of a task, and never by force. */
export async function pushCommit(
  { git, url }: Clone,
  { commit, branch, timeoutSeconds }: { commit: string; branch: string; timeoutSeconds: number },
): Promise<PushResult> {
  const ref = `refs/heads/${branch}`;
  const pushing = ['push', '--porcelain', '--no-progress', '--', url, `${commit}:${ref}`];
  const { code, stdout, stderr } = await git(pushing, { timeoutSeconds, codes: [1, 128] });
  if (code === 0) {
    await git(['update-ref', `refs/remotes/origin/${branch}`, commit]);
    return { kind: 'pushed' };
  }
  const pushed = readPush(stdout, ref);
  const why = plain([pushed?.summary, stderr].filter(Boolean).join('\n'));
  if (pushed && isConflict(pushed.summary))
    return { kind: 'conflict', message: `${url} has other commits on ${branch}: it was not pushed.\n${why}` };
  if (!pushed && canPass(stderr))
    return { kind: 'unreachable', message: `${branch} could not be pushed to ${url}: ${why}` };
  return { kind: 'refused', message: `${url} refused ${branch}: ${why}` };
}

/** Others have pushed to the branch, before or at the same time. */
const isConflict = (summary: string) =>
  summary.startsWith('[rejected]') ||
  /failed to update ref|incorrect old value|reference already exists|but expected/.test(summary);
