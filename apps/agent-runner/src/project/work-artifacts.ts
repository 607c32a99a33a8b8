import { cleanText } from '../clean-text.ts';
import { maxArtifactContent, type NewArtifact } from '@eas/contracts';
import { type Change, patchOf } from '../git/change.ts';
import type { CheckResult } from '../verdict/happened.ts';
import { isRed } from '../verdict/verdict.ts';
import { type ChangedRepository as Changed, changedOf, type RepositoryWork } from './finish-work.ts';

/** Kinds of what is attached for a repository with a change. */
export const workKinds = (hasChecks: boolean): string[] => [
  'branch',
  'commit',
  'diff',
  ...(hasChecks ? ['test_report'] : []),
];

/** Bytes of the data of an artifact, of the list of files in it, and of the request that attaches it as a whole. */
const [maxDataBytes, maxListBytes, maxRequestBytes] = [60 * 1024, 20 * 1024, 1024 * 1024 - 1024];

/** What the work is for the task: the same title means the same work, however often it is attached. */
export async function workArtifacts(repositories: readonly RepositoryWork[]): Promise<NewArtifact[]> {
  const artifacts: NewArtifact[] = [];
  for (const one of changedOf(repositories)) {
    artifacts.push(branchArtifact(one), commitArtifact(one), await diffArtifact(one));
    if (one.checks.length > 0) artifacts.push(reportArtifact(one));
  }
  return artifacts;
}

const shortOf = ({ head }: Change) => head.slice(0, 10);

const ofRepository = ({ place: { repository }, change }: Changed) => ({
  repository: repository.url,
  base_branch: repository.base_branch,
  base_sha: change.base,
});

function branchArtifact(one: Changed): NewArtifact {
  const { place, change, push } = one;
  const { branch } = place.worktree;
  const isPushed = push?.kind === 'pushed';
  const data = { ...ofRepository(one), branch, commits: change.commits, pushed: isPushed };
  const title = `${place.name}: ${branch} at ${shortOf(change)}${isPushed ? '' : ', not pushed'}`;
  return { kind: 'branch', title, sha: change.head, data };
}

function commitArtifact(one: Changed): NewArtifact {
  const { place, change } = one;
  const title = `${place.name}: ${shortOf(change)} ${cleanText(change.subject)}`.slice(0, 500);
  return { kind: 'commit', title: title.toWellFormed(), sha: change.head, data: ofRepository(one) };
}

async function diffArtifact(one: Changed): Promise<NewArtifact> {
  const { place, change } = one;
  const { files, insertions, deletions, head } = change;
  const numbers = `${files} ${files === 1 ? 'file' : 'files'}, +${insertions} -${deletions}`;
  const data = { ...ofRepository(one), files_changed: files, insertions, deletions, files: listed(change) };
  const title = `${place.name}: ${numbers} at ${shortOf(change)}`;
  const diff = { kind: 'diff', title, sha: head, data } as const;
  const maxBytes = Math.min(maxArtifactContent, maxRequestBytes - bytesOf(diff));
  const patch = await patchOf(place.worktree, change, maxBytes);
  // A text that is no JSON text as it is, is longer there.
  const fits = patch !== undefined && isText(patch) && bytesOf(patch) <= maxBytes;
  return fits ? { ...diff, content: patch } : diff;
}

/** The first files, as many as fit. */
function listed({ listed: files }: Change): object[] {
  const shown: object[] = [];
  let bytes = 0;
  for (const { path, ...counts } of files) {
    const file = { path: cleanText(path), ...counts };
    bytes += bytesOf(file) + 1;
    if (bytes > maxListBytes) break;
    shown.push(file);
  }
  return shown;
}

function reportArtifact(one: Changed): NewArtifact {
  const { place, change, checks } = one;
  const passed = checks.filter((check) => !isRed(check)).length;
  const title = `${place.name}: ${passed} of ${checks.length} checks passed at ${shortOf(change)}`;
  const reports = [4_000, 1_000, 200, 0].map((length) => ({
    ...ofRepository(one),
    checks: checks.map((check) => reportOf(check, length)),
  }));
  const data = reports.find((report) => bytesOf(report) <= maxDataBytes) ?? ofRepository(one);
  return { kind: 'test_report', title, sha: change.head, data };
}

function reportOf(check: CheckResult, length: number): object {
  const { name, code, signal, isTimedOut, seconds, tail } = check;
  return {
    name,
    passed: !isRed(check),
    exit_code: code,
    signal,
    timed_out: isTimedOut,
    seconds,
    tail: length === 0 ? '' : cleanText(tail.slice(-length)),
  };
}

/** As the service takes texts. */
const isText = (text: string) => text === cleanText(text);
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
