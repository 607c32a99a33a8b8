import type { Schemas } from '../api/client.ts';
import type { Tone } from '../parts/tag.tsx';
import { nameOf } from '../work/integrations/integration-names.ts';

/** What failed longer ago than this no longer needs attention. */
export const recentMs = 7 * 86_400_000;

/** A thing that needs somebody, `section` and `id` its page; `why` ends with a word that `at` goes on from. */
export type ConcernItem = { id: string; title: string; why: string; at?: string; section: string };
/** A reason why things need attention; `total` counts those that are not listed as well. */
export type Concern = { title: string; tone: Tone; total: number; items: readonly ConcernItem[] };

export type Listed<T> = { total: number; data: readonly T[] };

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
  const reviewed = reviews.data.map(({ id, title, created_at: at }): ConcernItem => ({
    id,
    title,
    why: 'review, of a task created',
    at,
    section: 'inbox',
  }));
  const items = [...asked, ...reviewed].sort((left, right) => (left.at ?? '').localeCompare(right.at ?? ''));
  return {
    title: 'Waits for a person',
    tone: 'warn',
    total: inputs.total + reviews.total,
    items: items.slice(0, shown),
  };
};

export const overdueConcern = (lists: readonly Listed<Schemas['TaskSummary']>[], shown: number): Concern => {
  const tasks = lists.flatMap(({ data }) => data);
  const items = tasks
    .map(({ id, title, status, due_date: due }) => ({
      id,
      title,
      why: `${status.replaceAll('_', ' ')}, was due`,
      ...(due !== null && { at: due }),
      section: 'tasks',
    }))
    .sort((left, right) => (left.at ?? '').localeCompare(right.at ?? ''));
  const total = lists.reduce((sum, list) => sum + list.total, 0);
  return { title: 'Overdue tasks', tone: 'bad', total, items: items.slice(0, shown) };
};

export const failedConcern = ({ total, data }: Listed<Schemas['TaskSummary']>): Concern => ({
  title: 'Failed tasks of the last 7 days',
  tone: 'bad',
  total,
  items: data.map(({ id, title, assigned_role: role, created_at: at }) => ({
    id,
    title,
    why: `role ${role ?? 'any'}, created`,
    at,
    section: 'tasks',
  })),
});

/** The API does not filter runs by time: of those that it lists, the recent ones. */
export const failedRunsConcern = (runs: readonly Schemas['RunSummary'][], nowMs: number): Concern => {
  const recent = runs.filter(({ finished_at: at, started_at: began }) => Date.parse(at ?? began) > nowMs - recentMs);
  const items = recent.map(({ workflow_run_id: id, name, finished_at: at, started_at: began }) => ({
    id,
    title: name,
    why: 'failed',
    at: at ?? began,
    section: 'runs',
  }));
  return { title: 'Failed runs of the last 7 days', tone: 'bad', total: items.length, items };
};

const webhookWords: Readonly<Record<string, string>> = {
  failing: 'deliveries fail',
  paused: 'paused, deliveries are held',
  disabled: 'disabled, nothing is sent',
};

const countedWebhooks = 20;

/** The webhooks whose dead deliveries are counted: those that failed lately, the last ones first. */
export const lastFailed = (webhooks: readonly Schemas['Webhook'][], nowMs: number): Schemas['Webhook'][] =>
  webhooks
    .filter(({ last_failure_at: at }) => at !== null && Date.parse(at) > nowMs - recentMs)
    .sort((left, right) => (right.last_failure_at ?? '').localeCompare(left.last_failure_at ?? ''))
    .slice(0, countedWebhooks);

/** `dead`: deliveries of the last days that are given up, by webhook. */
export const webhookConcern = (
  webhooks: readonly Schemas['Webhook'][],
  dead: Readonly<Record<string, number>>,
): Concern => {
  const items = webhooks.flatMap(({ id, url, status, status_reason: reason, failing_since: since }): ConcernItem[] => {
    const count = dead[id] ?? 0;
    // Somebody disabled it on purpose, and nothing is sent that could fail.
    const isOff = status === 'disabled' && reason === 'requested';
    const words = isOff ? undefined : webhookWords[status];
    const why = [
      words && `${words}${reason ? ` (${reason.replaceAll('_', ' ')})` : ''}`,
      count > 0 && `${count} dead ${count === 1 ? 'delivery' : 'deliveries'} in 7 days`,
      words && since && 'since',
    ].filter((part) => typeof part === 'string' && part !== '');
    if (words === undefined && count === 0) return [];
    return [{ id, title: url, why: why.join(', '), ...(words && since && { at: since }), section: 'webhooks' }];
  });
  return { title: 'Webhooks', tone: 'bad', total: items.length, items };
};

export const integrationConcern = (integrations: readonly Schemas['Integration'][]): Concern => {
  const items = integrations
    .filter(({ status }) => status !== 'active')
    .map((integration) => {
      const { id, status, status_reason: reason } = integration;
      return { id, title: nameOf(integration), why: reason ? `${status}: ${reason}` : status, section: 'integrations' };
    });
  return { title: 'Integrations', tone: 'warn', total: items.length, items };
};

/** The list of inbound events has no total: `hasMore` says that there are others. */
export const inboundConcern = (events: readonly Schemas['InboundEvent'][], hasMore: boolean): Concern => ({
  title: 'Received webhooks that were not applied',
  tone: 'warn',
  total: events.length + (hasMore ? 1 : 0),
  items: events.map(({ id, event, state, reason, detail, received_at: at }) => ({
    id,
    title: event,
    why: `${state}${reason ? ` (${reason.replaceAll('_', ' ')})` : ''}${detail ? `: ${detail}` : ''}, received`,
    at,
    section: 'inbound',
  })),
});
