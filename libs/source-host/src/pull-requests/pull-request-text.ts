import type { PushedWork } from '@eas/tasks';
import { digest } from '@eas/receiving';
import { cutText } from '@eas/task-platform';

/** The source host's limit. */
const maxTitle = 256;
const maxSummary = 10_000;

export const pullRequestTitle = (title: string): string => {
  const line = title.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();
  return line.length <= maxTitle ? line : `${line.slice(0, maxTitle - 2).toWellFormed()} …`;
};

const end = '<!-- eas:end -->';
const beginPattern = /<!-- eas:task (tsk_[0-9a-z]{26}) (\w+) -->/;
const begin = (taskId: string, title: string) => `<!-- eas:task ${taskId} ${titleMark(title)} -->`;
const titleMark = (title: string) => digest([title]).replaceAll(/\W/g, '').slice(0, 12);

/**
 * What the service says in the description, between two marks. What agents say is in blocks of code, where the source
 * host mentions no user, closes no issue and loads nothing.
 */
export function pullRequestText({ taskId, title, summary, checks, change }: PushedWork): string {
  const said = summary?.trim() ?? '';
  const ran = checks.map(({ name, isPassed }) => `${isPassed ? 'passed' : 'failed'}  ${oneLine(name)}`);
  return [
    begin(taskId, pullRequestTitle(title)),
    `An agent did this for the task \`${taskId}\`.`,
    ...(said === '' ? [] : [codeBlock(cutText(said, maxSummary))]),
    ...(ran.length === 0 ? [] : ['Checks:', codeBlock(ran.join('\n'))]),
    ...(change ? [`${change.files} files changed, +${change.insertions} -${change.deletions}`] : []),
    end,
  ].join('\n\n');
}

const oneLine = (text: string) => text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();

/** Its fence is longer than any in the text. */
export function codeBlock(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text.replaceAll('\0', '').replaceAll('<!--', '<! --').toWellFormed()}\n${fence}`;
}

type Said = { title: string; body: string };

/**
 * What has to change of a pull request so that it says what is wanted. People's own words stay: what is written around
 * the marks, a title that they gave, and all of a description without marks.
 */
export function changesOf(present: Said, wanted: { title: string; text: string }): Partial<Said> {
  const marked = beginPattern.exec(present.body);
  const endAt = present.body.lastIndexOf(end);
  if (!marked || endAt < marked.index) return {};
  const body = present.body.slice(0, marked.index) + wanted.text + present.body.slice(endAt + end.length);
  const isTitleOurs = titleMark(present.title) === marked[2];
  return {
    ...(isTitleOurs && present.title !== wanted.title ? { title: wanted.title } : {}),
    ...(sameText(body, present.body) ? {} : { body }),
  };
}

/** Source hosts may store other line ends. */
const sameText = (a: string, b: string) => a.replaceAll('\r\n', '\n') === b.replaceAll('\r\n', '\n');
