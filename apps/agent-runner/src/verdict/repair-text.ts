import type { CheckResult } from './happened.ts';

export const ignoredFeedbackText =
  'You changed nothing since you got messages about your work. Do what they ask for. If nothing has to change, end with a message that says why.';

/** What is wrong with the work, for the agent that did it. */
export function repairText(parts: {
  problems: readonly string[];
  checks: readonly CheckResult[];
  missing: readonly string[];
  /** What is wrong with the result. */
  result?: string;
}): string {
  const { problems, checks, missing, result } = parts;
  return [
    'The work is not done yet. Mend what follows, in the same folders and on the same branch.',
    ...problems,
    ...checks.map(failedCheck),
    ...(missing.length > 0 ? [`These artifacts are required and missing: ${missing.join(', ')}.`] : []),
    ...(result === undefined
      ? []
      : [`The required result is missing or does not fit: ${result}. End your message with it.`]),
  ].join('\n\n');
}

function failedCheck({ name, code, signal, isTimedOut, seconds, tail }: CheckResult): string {
  const how = isTimedOut
    ? `did not end within ${Math.round(seconds)} s`
    : `failed with ${signal ?? `exit code ${code}`}`;
  return `The check ${JSON.stringify(name)} ${how}.${tail.trim() === '' ? '' : ` The last of its output:\n\n${tail}`}`;
}
