import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMay } from '../api/session.ts';
import { Moment } from '../parts/moment.tsx';
import { ProblemNote } from '../parts/notes.tsx';
import parts from '../parts/parts.module.css';
import { Tag } from '../parts/tag.tsx';
import { sections } from '../shell/sections.ts';
import { isTotalCut, totalOf, useWaiting } from '../shell/waiting.ts';
import {
  type Concern,
  type ConcernItem,
  failedConcern,
  failedRunsConcern,
  inboundConcern,
  integrationConcern,
  overdueConcern,
  waitingConcern,
  webhookConcern,
} from './concerns.ts';
import {
  deadDeliveriesQuery,
  failedQuery,
  failedRunsQuery,
  inboundQuery,
  integrationsQuery,
  overdueQuery,
  shownOfAKind,
  webhooksQuery,
} from './overview-queries.ts';
import styles from './overview.module.css';

/** What needs attention, and why; each part only for people who may read it. */
export function Attention() {
  const all = [useTaskConcerns(), useRunConcerns(), useWebhookConcerns(), useIntegrationConcerns()];
  const error = all.find((one) => one.error)?.error;
  const concerns = all.flatMap((one) => one.concerns).filter(({ total }) => total > 0);
  const isReady = all.every((one) => one.isReady);
  return (
    <section aria-label="Needs attention" className={styles['attention']}>
      <h2>Needs attention</h2>
      {error ? <ProblemNote error={error} /> : undefined}
      {isReady && !error && concerns.length === 0 && (
        <p className={parts['small']}>Nothing. What waits for a person, is late or has failed is shown here.</p>
      )}
      {concerns.map((concern) => (
        <ConcernList key={concern.title} concern={concern} />
      ))}
    </section>
  );
}

type Concerns = { concerns: readonly Concern[]; isReady: boolean; error: unknown };
type Read = { isLoading: boolean; data: unknown; error: unknown };

const stateOf = (reads: readonly Read[]) => ({
  isReady: reads.every(({ isLoading }) => !isLoading),
  error: reads.find(({ data, error }) => error && data === undefined)?.error,
});

type Page<T> = Parameters<typeof totalOf>[0] & { data: readonly T[] };
const listed = <T,>(page: Page<T> | undefined) => ({
  total: totalOf(page),
  isMore: isTotalCut(page),
  data: page?.data ?? [],
});

function useTaskConcerns(): Concerns {
  const enabled = useMay('tasks:read');
  const { inputs, reviews } = useWaiting(enabled);
  const failed = useQuery({ ...failedQuery, enabled });
  const overdue = useQuery({ ...overdueQuery, enabled });
  return {
    ...stateOf([inputs, reviews, failed, overdue]),
    concerns: [
      waitingConcern(listed(inputs.data), listed(reviews.data), shownOfAKind),
      overdueConcern(listed(overdue.data)),
      failedConcern(listed(failed.data)),
    ],
  };
}

function useRunConcerns(): Concerns {
  const enabled = useMay('workflows:read');
  const runs = useQuery({ ...failedRunsQuery, enabled });
  return { ...stateOf([runs]), concerns: [failedRunsConcern(listed(runs.data))] };
}

function useWebhookConcerns(): Concerns {
  const enabled = useMay('webhooks:read');
  const webhooks = useQuery({ ...webhooksQuery, enabled });
  const dead = useQuery({ ...deadDeliveriesQuery, enabled });
  return {
    ...stateOf([webhooks, dead]),
    concerns: [webhookConcern(listed(webhooks.data), dead.data?.data ?? [])],
  };
}

function useIntegrationConcerns(): Concerns {
  const enabled = useMay('integrations:read');
  const integrations = useQuery({ ...integrationsQuery, enabled });
  const failed = useQuery({ ...inboundQuery('failed'), enabled });
  const quarantined = useQuery({ ...inboundQuery('quarantined'), enabled });
  const pages = [failed.data, quarantined.data];
  return {
    ...stateOf([integrations, failed, quarantined]),
    concerns: [
      integrationConcern(integrations.data?.data ?? []),
      inboundConcern(
        pages.flatMap((page) => page?.data ?? []),
        pages.some((page) => page?.pagination.has_more),
      ),
    ],
  };
}

function ConcernList({ concern: { title, tone, total, isMore, items } }: { concern: Concern }) {
  return (
    <section aria-label={title}>
      <h3>
        {title} <Tag tone={tone}>{isMore ? `${total} or more` : total}</Tag>
      </h3>
      <ul>
        {items.map((item) => (
          <li key={item.id} className={styles['item']}>
            <ItemLink item={item} />
            <span className={parts['small']}>
              {item.why} {item.at && <Moment at={item.at} />}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Items of sections that the dashboard does not have are text. */
function ItemLink({ item: { id, title, section } }: { item: ConcernItem }) {
  if (!sections.some(({ path }) => path === section))
    return (
      <span className={styles['title']} dir="auto">
        {title}
      </span>
    );
  const isInbox = section === 'inbox';
  const to: string = isInbox ? '/inbox' : `/${section}/${id}`;
  return (
    <Link to={to} search={isInbox ? { item: id } : {}} className={styles['title']} data-opens-page dir="auto">
      {title}
    </Link>
  );
}
