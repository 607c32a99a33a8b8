import type { Schemas } from '../api/client.ts';
import type { Tone } from '../parts/tag.tsx';
import { nameOf } from '../resources/integrations/integration-names.ts';

/** Failures older than this need no attention. */
export const recentMs = 7 * 86_400_000;

/** An item that needs attention; `section` and `id` are its page; `why` ends with a word that `at` follows. */
export type ConcernItem = { id: string; title: string; why: string; at?: string; section: string };
/** A reason why items need attention; `total` counts unlisted ones too. `isMore`: there are others. */
export type Concern = {
  title: string;
  tone: Tone;
  total: number;
  isMore: boolean;
  items: readonly ConcernItem[];
};

export type Listed<T> = { total: number; isMore: boolean; data: readonly T[] };

export const waitingConcern = (
  inputs: Listed<Schemas['Input']>,
  reviews: Listed<Schemas['TaskSummary']>,
  shown: number,
): Concern => {
  const asked = inputs.data.map(({ id, prompt, kind, created_at: at }): ConcernItem => ({
    id,
    title: prompt,
    why: `${kind} of an agent, asked`,
    at,
    section: 'inbox',
  }));
  const reviewed = reviews.data.map(({ id, title, review_since: since, created_at: created }): ConcernItem => ({
    id,
    title,
    why: 'review, waiting since',
    at: since ?? created,
    section: 'inbox',
  }));
  const items = [...asked, ...reviewed].sort((left, right) => (left.at ?? '').localeCompare(right.at ?? ''));
  return {
    title: 'Waits for a person',
    tone: 'warn',
    total: inputs.total + reviews.total,
    isMore: inputs.isMore || reviews.isMore,
    items: items.slice(0, shown),
  };
};

export const overdueConcern = ({ total, isMore, data }: Listed<Schemas['TaskSummary']>): Concern => ({
  title: 'Overdue tasks',
  tone: 'bad',
  total,
  isMore,
  items: data.map(({ id, title, status, due_date: due }) => ({
    id,
    title,
    why: `${status.replaceAll('_', ' ')}, was due`,
    ...(due !== null && { at: due }),
    section: 'tasks',
  })),
});

export const failedConcern = ({ total, isMore, data }: Listed<Schemas['TaskSummary']>): Concern => ({
  title: 'Failed tasks of the last 7 days',
  tone: 'bad',
  total,
  isMore,
  items: data.map(({ id, title, assigned_role: role, failed_at: at }) => ({
    id,
    title,
    why: `role ${role ?? 'any'}, failed`,
    ...(at !== undefined && { at }),
    section: 'tasks',
  })),
});

export const failedRunsConcern = ({ total, isMore, data }: Listed<Schemas['RunSummary']>): Concern => ({
  title: 'Failed runs of the last 7 days',
  tone: 'bad',
  total,
  isMore,
  items: data.map(({ workflow_run_id: id, name, finished_at: at, started_at: began }) => ({
    id,
    title: name,
    why: 'failed',
    at: at ?? began,
    section: 'runs',
  })),
});

const webhookWords: Readonly<Record<string, string>> = {
  failing: 'deliveries fail',
  paused: 'paused, deliveries are held',
  disabled: 'disabled, nothing is sent',
};

type DeadCount = Schemas['DeadDeliveryCounts']['data'][number];

/** Dead deliveries are counted up to this number. */
const maxDead = 100;

const deadWords = (count: number): string =>
  `${count}${count < maxDead ? '' : ' or more'} dead ${count === 1 ? 'delivery' : 'deliveries'} in 7 days`;

/** `webhooks`: a page of the list, inactive ones first. `dead`: dead deliveries of the last days. */
export const webhookConcern = (
  webhooks: Listed<Schemas['Webhook']>,
  dead: readonly Pick<DeadCount, 'webhook_id' | 'url' | 'count'>[],
): Concern => {
  const countOf = new Map(dead.map(({ webhook_id: id, count }) => [id, count]));
  const items = webhooks.data.flatMap((webhook): ConcernItem[] => {
    const { id, url, status, status_reason: reason, failing_since: since } = webhook;
    const count = countOf.get(id) ?? 0;
    // Disabled on purpose, so nothing is sent that could fail.
    const isOff = status === 'disabled' && reason === 'requested';
    const words = isOff ? undefined : webhookWords[status];
    const why = [
      words && `${words}${reason ? ` (${reason.replaceAll('_', ' ')})` : ''}`,
      count > 0 && deadWords(count),
      words && since && 'since',
    ].filter((part) => typeof part === 'string' && part !== '');
    if (words === undefined && count === 0) return [];
    return [{ id, title: url, why: why.join(', '), ...(words && since && { at: since }), section: 'webhooks' }];
  });
  const listed = new Set(webhooks.data.map(({ id }) => id));
  const others = dead
    .filter(({ webhook_id: id }) => !listed.has(id))
    .map(({ webhook_id: id, url, count }) => ({ id, title: url, why: deadWords(count), section: 'webhooks' }));
  const all = [...items, ...others];
  const isMore = webhooks.total > webhooks.data.length && webhooks.data.at(-1)?.status !== 'active';
  return { title: 'Webhooks', tone: 'bad', total: all.length, isMore, items: all };
};

const fullPage = 100;

/** `integrations`: a page of the list, inactive ones first; it has no total. */
export const integrationConcern = (integrations: readonly Schemas['Integration'][]): Concern => {
  const items = integrations
    .filter(({ status }) => status !== 'active')
    .map((integration) => {
      const { id, status, status_reason: reason } = integration;
      return { id, title: nameOf(integration), why: reason ? `${status}: ${reason}` : status, section: 'integrations' };
    });
  return { title: 'Integrations', tone: 'warn', total: items.length, isMore: items.length === fullPage, items };
};

/** The list of inbound events has no total. */
export const inboundConcern = (events: readonly Schemas['InboundEvent'][], hasMore: boolean): Concern => ({
  title: 'Received webhooks that were not applied',
  tone: 'warn',
  total: events.length,
  isMore: hasMore,
  items: events.map(({ id, event, state, reason, detail, received_at: at }) => ({
    id,
    title: event,
    why: `${state}${reason ? ` (${reason.replaceAll('_', ' ')})` : ''}${detail ? `: ${detail}` : ''}, received`,
    at,
    section: 'inbound',
  })),
});
