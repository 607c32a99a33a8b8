import type { Tone } from '../parts/tag.tsx';
import type { Run, Workflow } from './run-queries.ts';
import { stepWords } from './run-words.ts';

/** A step as the graph draws it; `note`: its state, or who does it. */
export type GraphStep = { key: string; name: string; needs: readonly string[]; note: string; tone: Tone };

export const stepsOfRun = ({ steps }: Pick<Run, 'steps'>): GraphStep[] =>
  steps.map((step) => {
    const { key, name, needs, attempt } = step;
    const { label, tone } = stepWords(step);
    return { key, name, needs, note: attempt > 1 ? `${label}, attempt ${attempt}` : label, tone };
  });

export const stepsOfDefinition = ({ steps }: Pick<Workflow['definition'], 'steps'>): GraphStep[] =>
  steps.map(({ id, name, needs = [], role, approval, condition }) => ({
    key: id,
    name,
    needs,
    note: [role, approval && 'approval', condition && 'condition'].filter(Boolean).join(', '),
    tone: approval ? 'warn' : 'none',
  }));
