import { Tag } from '../parts/tag.tsx';
import type { Step } from '../resources/run-queries.ts';
import { stepWords } from '../resources/run-words.ts';
import { Actor } from '../resources/names/actor.tsx';
import styles from './runs.module.css';

export type StepListProps = { steps: readonly Step[]; chosen: string | undefined; onChoose: (key: string) => void };

/** The same steps as the graph has, for the keyboard and for screen readers. */
export function StepList({ steps, chosen, onChoose }: StepListProps) {
  const nameOf = (key: string) => steps.find((one) => one.key === key)?.name ?? key;
  return (
    <section aria-label="Steps">
      <h2>Steps</h2>
      <ol className={styles['steps']}>
        {steps.map((step) => {
          const { key, name, role, assignee, needs } = step;
          const { label, tone } = stepWords(step);
          return (
            <li key={key}>
              <button
                type="button"
                className={styles['step']}
                aria-current={key === chosen}
                onClick={() => onChoose(key)}
              >
                <span className={styles['stepName']} dir="auto">
                  {name}
                </span>
                <Tag tone={tone}>{label}</Tag>
                <span className={styles['about']}>
                  {assignee ? <Actor id={assignee} /> : role}
                  {needs.length > 0 && `, after ${needs.map(nameOf).join(', ')}`}
                </span>
              </button>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
