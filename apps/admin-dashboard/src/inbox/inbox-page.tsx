import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useRef } from 'react';
import { Moment } from '../parts/moment.tsx';
import { EmptyState, NotRead } from '../parts/notes.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { useShortcuts } from '../parts/shortcuts.ts';
import { Tag } from '../parts/tag.tsx';
import { totalOf, useWaiting } from '../shell/waiting.ts';
import type { DetailProps } from './detail-props.ts';
import styles from './inbox.module.css';
import { InputDetail } from './input-detail.tsx';
import { ReviewDetail } from './review-detail.tsx';
import { neighbour, type WaitingItem, waitingItems } from './waiting-items.ts';

export function InboxPage() {
  const { inputs, reviews } = useWaiting();
  const navigate = useNavigate();
  const router = useRouter();
  const { item: chosen } = useSearch({ from: '/inbox' });
  const items = waitingItems(oldestOf(inputs.data), oldestOf(reviews.data));
  const isRead = inputs.data !== undefined && reviews.data !== undefined;
  const shown = chosen ?? (isRead ? items[0]?.id : undefined);
  const show = useCallback(
    (item: string | undefined) => void navigate({ to: '/inbox', search: item ? { item } : {}, replace: true }),
    [navigate],
  );
  const choose = (item: WaitingItem | undefined) => show(item?.id);
  // The chosen item stays when another person decides about it, so that a key never acts on the next one.
  useEffect(() => {
    if (shown !== chosen) show(shown);
  }, [shown, chosen, show]);
  useShortcuts([
    { keys: 'j', label: 'Next in the inbox', run: () => choose(neighbour(items, shown, 1)) },
    { keys: 'k', label: 'Previous in the inbox', run: () => choose(neighbour(items, shown, -1)) },
  ]);
  /** Goes to the next item, or to the empty inbox. */
  const goOn = (id: string) => {
    const rest = items.filter((item) => item.id !== id);
    choose(
      rest[
        Math.min(
          items.findIndex((item) => item.id === id),
          rest.length - 1,
        )
      ],
    );
  };
  /** Goes back to the item that waits again, unless the person has left. */
  const goBack = (id: string) => router.latestLocation.pathname === '/inbox' && show(id);
  const error = inputs.error ?? reviews.error;
  if (!inputs.data || !reviews.data)
    return <NotRead error={error} onRetry={() => void [inputs.refetch(), reviews.refetch()]} />;
  const total = totalOf(inputs.data) + totalOf(reviews.data);
  return (
    <>
      <PageHead title="Inbox">{total > 0 && <span>{total} waiting</span>}</PageHead>
      {shown === undefined ? (
        <EmptyState title="Nothing waits for you">
          Questions of agents and work to review come here by themselves. An agent asks with POST /v1/leases/…/inputs; a
          task whose contract names a reviewer waits for a review.
        </EmptyState>
      ) : (
        <div className={styles['panes']}>
          <ItemList items={items} more={total - items.length} shown={shown} onChoose={choose} />
          <Detail key={shown} id={shown} onHeld={() => goOn(shown)} onUndone={() => goBack(shown)} />
        </div>
      )}
    </>
  );
}

const Detail = (props: DetailProps) =>
  props.id.startsWith('inp_') ? <InputDetail {...props} /> : <ReviewDetail {...props} />;

type Page<T> = Parameters<typeof totalOf>[0] & { data: readonly T[] };
const oldestOf = <T,>(page: Page<T> | undefined) => ({ data: page?.data ?? [], total: totalOf(page) });

type ItemListProps = {
  items: readonly WaitingItem[];
  /** The number of items that wait and are not listed yet. */
  more: number;
  shown: string;
  onChoose: (item: WaitingItem) => void;
};

function ItemList({ items, more, shown, onChoose }: ItemListProps) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    // Newer browsers return a promise, which is no clean-up.
    void list.current?.querySelector('[aria-current=true]')?.scrollIntoView({ block: 'nearest' });
  }, [shown]);
  return (
    <ul ref={list} className={styles['list']} aria-label="Waiting" tabIndex={0}>
      {items.map((item) => (
        <li key={item.id}>
          <button
            type="button"
            className={styles['item']}
            aria-current={item.id === shown}
            onClick={() => onChoose(item)}
          >
            <span dir="auto">{item.title}</span>
            <span className={styles['meta']}>
              <Tag tone="accent">{item.kind}</Tag>
              <Moment at={item.since} />
            </span>
          </button>
        </li>
      ))}
      {more > 0 && <li className={styles['meta']}>{more} more wait. They come here when older ones are decided.</li>}
    </ul>
  );
}
