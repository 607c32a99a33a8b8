import { cutText } from '@eas/task-platform';
import type { Annotation } from '../api/source-host-checks.ts';
import { maxText } from './finding.ts';
import { codeBlock } from './pull-request-text.ts';
import { numberedId } from './pull-request.ts';

const [maxSaid, maxAnnotations, maxLogLines, maxLog] = [2_000, 20, 60, 4_000];

/** What a failed check says: `said` in words, the end of its log. */
type CheckSaid = {
  name: string;
  conclusion: string;
  said: string;
  annotations: readonly Annotation[];
  log: string | undefined;
};

export function checkText({ name, conclusion, said, annotations, log }: CheckSaid): string {
  const noted = annotations
    .filter(({ annotation_level: level }) => level !== 'notice')
    .slice(0, maxAnnotations)
    .map(({ path, start_line: line, message }) => `${path}:${line ?? 1}: ${cutText(message ?? '', 500)}`);
  const end = log === undefined ? '' : logEnd(log);
  return [
    `${JSON.stringify(name)} ended with ${conclusion}.`,
    ...(said === '' ? [] : [cutText(said, maxSaid)]),
    ...(noted.length === 0 ? [] : [codeBlock(noted.join('\n'))]),
    ...(end === '' ? [] : ['The end of its log:', codeBlock(end)]),
  ].join('\n\n');
}

type Checked = { repository: string; number: number; sha: string };

/** What can be stored. */
export const plain = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** The message for the agent that repairs it. */
export const checksText = (checked: Checked, checks: readonly string[]): string =>
  cutText(
    plain(
      [
        `What failed checks of ${numberedId(checked)} say about your commit ${checked.sha.slice(0, 12)}:`,
        ...checks,
      ].join('\n\n'),
    ),
    maxText,
  );

/** Colours of terminals. */
const escapes = /\u001b\[[0-9;?]*[ -/]*[@-~]/g;
const times = /^\uFEFF?\d{4}-\d\d-\d\dT[\d:.]+Z /;
const isError = (line: string) => line.startsWith('##[error]');

/** The lines before the last error: what comes after it is tidying up. */
function logEnd(log: string): string {
  const lines = log.split(/\r?\n/).map((line) => line.replace(times, '').replaceAll(escapes, ''));
  const last = lines.findLastIndex(isError);
  const end = last === -1 ? lines.length : last + 1;
  return lines
    .slice(Math.max(0, end - maxLogLines), end)
    .join('\n')
    .trim()
    .slice(-maxLog);
}
