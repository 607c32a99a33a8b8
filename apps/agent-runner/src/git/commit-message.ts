const maxSubjectLength = 72;

/** The title of a task as a commit has it, with where the commit comes from. */
export function commitMessage({ title, taskId, attempt }: { title: string; taskId: string; attempt: number }): string {
  const line = title
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .toWellFormed();
  const subject =
    line.length > maxSubjectLength
      ? `${line
          .slice(0, maxSubjectLength - 1)
          .trimEnd()
          .toWellFormed()}…`
      : line;
  return `${subject || 'Work of an agent'}\n\nTask-Id: ${taskId}\nTask-Attempt: ${attempt}\n`;
}
