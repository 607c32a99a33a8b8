import type { Input } from '../task-queries.ts';

const decisions: Readonly<Record<string, string>> = {
  approve: 'approved',
  reject: 'rejected',
  allow_once: 'allowed once',
  allow_always: 'allowed for the rest of the task',
};

/** What a person answered, as one text; '' without an answer. */
export function answerTextOf({ answer, content, decision }: Pick<Input, 'answer' | 'content' | 'decision'>): string {
  const filled = Object.entries(content ?? {}).map(([key, value]) => `${key}: ${[value].flat().join(', ')}`);
  return answer ?? (decision === null ? filled.join('\n') : (decisions[decision] ?? decision));
}
