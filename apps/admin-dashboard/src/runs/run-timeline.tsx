import { Moment } from '../parts/moment.tsx';
import parts from '../parts/parts.module.css';
import type { Run } from '../resources/run-queries.ts';
import { Actor } from '../resources/names/actor.tsx';
import { detailOf, wordsOf } from './run-entries.ts';
import styles from './runs.module.css';

const shownEntries = 200;

/** The timeline, newest entries first. */
export function RunTimeline({ run: { steps, history } }: { run: Run }) {
  const shown = history.slice(-shownEntries).reverse();
  const hidden = (history.at(-1)?.seq ?? 0) - shown.length;
  return (
    <section aria-label="Timeline">
      <h2>Timeline</h2>
      <ol>
        {shown.map((entry) => (
          <li key={entry.id} className={styles['entry']}>
            <span className={parts['row']}>
              <strong>{wordsOf(entry)}</strong>
              {'key' in entry && (
                <span dir="auto">{steps.find(({ key }) => key === entry.key)?.name ?? entry.key}</span>
              )}
              <span className={parts['small']}>
                <Actor id={entry.actor} />, <Moment at={entry.timestamp} />
              </span>
            </span>
            <p className={parts['text']} dir="auto">
              {detailOf(entry)}
            </p>
          </li>
        ))}
      </ol>
      {hidden > 0 && <p className={parts['small']}>{hidden} older entries are in the API.</p>}
    </section>
  );
}
