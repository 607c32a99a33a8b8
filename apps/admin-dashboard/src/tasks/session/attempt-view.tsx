import { memo, useMemo } from 'react';
import parts from '../../parts/parts.module.css';
import type { Attempt } from './attempts.ts';
import { type Card, hasText } from './cards.ts';
import { CardView } from './card-view.tsx';
import styles from './session.module.css';
import { usageText } from './usage-text.ts';
import { useFollowedEnd } from './use-followed-end.ts';

type AttemptProps = {
  attempt: Attempt;
  title: string;
  /** The search text. */
  text: string;
  /** Whether the session is shown from its beginning. */
  isWhole: boolean;
  writesTo: string | undefined;
};

export function AttemptView({ attempt: { cards, plan, usage }, title, text, isWhole, writesTo }: AttemptProps) {
  const found = useMemo(() => (text === '' ? cards : cards.filter((card) => hasText(card, text))), [cards, text]);
  const scroll = useFollowedEnd<HTMLOListElement>(found);
  return (
    <section className={styles['attempt']} aria-label={title}>
      <p className={parts['row']}>
        <strong>
          <bdi>{title}</bdi>
        </strong>
        <span className={parts['small']}>{usageText(usage)}</span>
      </p>
      {plan.length > 0 && (
        <ul className={styles['plan']} aria-label="Plan">
          {plan.map((step, at) => (
            <li key={at} className={parts['text']} dir="auto">
              {marks.get(step.status) ?? '○'} {step.text}
            </li>
          ))}
        </ul>
      )}
      {found.length === 0 && text !== '' ? (
        <p className={parts['small']}>
          Nothing here has this text.{!isWhole && ' Earlier entries are searched when they are shown.'}
        </p>
      ) : (
        <ol ref={scroll} className={styles['cards']} tabIndex={0} aria-label={`Entries of ${title}`}>
          {found.map((card) => (
            <Row key={card.number} card={card} writesTo={writesTo} />
          ))}
        </ol>
      )}
    </section>
  );
}

/** Memoised: only changed cards of thousands are rendered again. */
const Row = memo(({ card, writesTo }: { card: Card; writesTo: string | undefined }) => (
  <li className={styles['card']} data-kind={card.kind}>
    <CardView card={card} writesTo={writesTo} />
  </li>
));

const marks: ReadonlyMap<string, string> = new Map([
  ['completed', '✓'],
  ['in_progress', '▸'],
]);
