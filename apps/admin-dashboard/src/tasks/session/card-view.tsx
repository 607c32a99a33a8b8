import { useState } from 'react';
import { Moment } from '../../parts/moment.tsx';
import parts from '../../parts/parts.module.css';
import { Tag } from '../../parts/tag.tsx';
import { DiffView } from '../../resources/diff/diff-view.tsx';
import { type Card, plainText, type ToolCard } from './cards.ts';
import { LineComment } from './line-comment.tsx';
import styles from './session.module.css';

/** `writesTo`: the task whose agent gets comments on changes. */
type CardProps<C> = { card: C; writesTo: string | undefined };

export function CardView({ card, writesTo }: CardProps<Card>) {
  switch (card.kind) {
    case 'tool':
      return <ToolView card={card} writesTo={writesTo} />;
    case 'permission':
      return (
        <p className={parts['text']} dir="auto">
          <Tag tone={card.is_allowed ? 'good' : 'bad'}>{card.is_allowed ? 'allowed' : 'denied'}</Tag> {card.tool}:{' '}
          {card.title}
        </p>
      );
    case 'stop':
      return (
        <p className={parts['small']}>
          The turn ended: {card.reason}, <Moment at={card.at} />
        </p>
      );
    case 'notice':
      return <p className={`${parts['small']} ${parts['text']}`}>{card.text}</p>;
    case 'text':
      return <Text text={card.text} />;
    case 'question':
      return (
        <>
          <Tag tone="warn">asked</Tag> <Text text={card.text} />
        </>
      );
    case 'prompt':
    case 'thought':
      return (
        <Folded label={words[card.kind]}>
          <Text text={card.text} />
        </Folded>
      );
  }
}

const words = { prompt: 'Prompt', thought: 'Thought' } as const;

const Text = ({ text }: { text: string }) => (
  <p className={parts['text']} dir="auto">
    {plainText(text)}
  </p>
);

const Folded = ({ label, children }: { label: string; children: React.ReactNode }) => (
  <details>
    <summary>{label}</summary>
    {children}
  </details>
);

const tones: ReadonlyMap<string, 'good' | 'bad' | 'accent'> = new Map([
  ['completed', 'good'],
  ['failed', 'bad'],
  ['in_progress', 'accent'],
]);

/** Open while it runs and when it failed, unless a person opened or closed it. */
function ToolView({ card, writesTo }: CardProps<ToolCard>) {
  const { type, name, title, status = 'pending', changes = [], output } = card;
  const [isOpened, setIsOpened] = useState<boolean>();
  const isOpen = isOpened ?? (status === 'in_progress' || status === 'failed' || changes.length > 0);
  return (
    <details open={isOpen}>
      <summary
        onClick={(event) => {
          event.preventDefault();
          setIsOpened(!isOpen);
        }}
      >
        <Tag tone={tones.get(status) ?? 'none'}>{status.replaceAll('_', ' ')}</Tag>{' '}
        <span className={parts['small']}>{name ?? type ?? 'tool'}</span>{' '}
        <bdi className={styles['title']}>{plainText(title ?? '')}</bdi>
      </summary>
      {isOpen &&
        changes.map((diff, at) => (
          <DiffView
            key={at}
            diff={diff}
            commentOn={
              writesTo === undefined
                ? undefined
                : (line, onClose) => <LineComment {...{ taskId: writesTo, path: diff.path, line, onClose }} />
            }
          />
        ))}
      {isOpen && output !== undefined && (
        <pre className={styles['terminal']} tabIndex={0} aria-label={`Output of ${title ?? name ?? 'the tool'}`}>
          {plainText(output)}
        </pre>
      )}
    </details>
  );
}
