import type { EventData, EventType, PublicEventType } from '@eas/contracts';

/** What a message says of an event; texts as they are, not escaped. */
export type EventLine = {
  /** What happened, in a few words. */
  headline: string;
  /** What it happened to, and its address when that is not the task's. */
  subject?: string;
  url?: string;
  /** What somebody wrote. */
  body?: string | null;
  /** Small facts, on one line. */
  facts?: readonly (string | null | undefined)[];
};

type Lines = { [T in PublicEventType]?: (data: EventData<T>) => EventLine };

const lines: Lines = {
  'task.created': ({ title, priority, assigned_role: role, due_date: due }) => ({
    headline: 'Task created',
    subject: title,
    facts: [`priority ${priority}`, role && `role ${role}`, due && `due ${due}`],
  }),
  'task.assigned': ({ title, assigned_agent: agent, reason }) => ({
    headline: 'Task planned for an agent',
    subject: title,
    facts: [agent, reason],
  }),
  'task.started': ({ title, assigned_agent: agent }) => ({
    headline: 'Task started',
    subject: title,
    facts: [agent],
  }),
  'task.updated': ({ title, from, to, changed }) => ({
    headline: from === to ? 'Task changed' : `Task moved from ${from} to ${to}`,
    subject: title,
    facts: [changed.length > 0 ? `changed: ${changed.join(', ')}` : undefined],
  }),
  'task.asked': ({ title }) => ({ headline: 'An agent asks', subject: title }),
  'task.completed': ({ title, summary, completed_by: by }) => ({
    headline: 'Task completed',
    subject: title,
    body: summary ?? null,
    facts: [`by ${by}`],
  }),
  'task.failed': ({ title, reason }) => ({ headline: 'Task failed', subject: title, body: reason }),
  'task.cancelled': ({ title, cancelled_by: by }) => ({
    headline: 'Task cancelled',
    subject: title,
    facts: [`by ${by}`],
  }),
  'task.commented': ({ title, content, author }) => ({
    headline: 'Comment on a task',
    subject: title,
    body: content,
    facts: [`by ${author}`],
  }),
  'agent.presence_changed': ({ name, role, from, to }) => ({
    headline: `Agent is ${to}`,
    subject: name,
    facts: [`role ${role}`, `was ${from}`],
  }),
  'pr.opened': ({ repository, number, title, url, author }) => ({
    headline: 'Pull request opened',
    subject: `${repository}#${number} ${title}`,
    url,
    facts: [`by ${author}`],
  }),
  'workflow.started': ({ name }) => ({ headline: 'Workflow run started', subject: name }),
  'workflow.step_completed': ({ name, step_name: step }) => ({
    headline: 'Step of a workflow run completed',
    subject: `${name}: ${step}`,
  }),
  'workflow.completed': ({ name }) => ({ headline: 'Workflow run completed', subject: name }),
  'workflow.failed': ({ name, step_name: step, reason }) => ({
    headline: 'Workflow run failed',
    subject: `${name}: ${step}`,
    body: reason,
  }),
  'workflow.cancelled': ({ name }) => ({ headline: 'Workflow run cancelled', subject: name }),
  'webhook.failing': ({ url, failures_in_row: failures }) => ({
    headline: 'Deliveries to a webhook fail',
    subject: hostOf(url),
    facts: [`${failures} in a row`],
  }),
  'webhook.paused': ({ url }) => ({ headline: 'Webhook paused after many failures', subject: hostOf(url) }),
  'webhook.disabled': ({ url }) => ({ headline: 'Webhook disabled', subject: hostOf(url) }),
  'webhook.recovered': ({ url }) => ({ headline: 'Webhook works again', subject: hostOf(url) }),
};

/** Paths of addresses can hold secrets. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '');

/** A type without words of its own is called by its name. */
export function lineOf(type: EventType, data: Readonly<Record<string, unknown>>): EventLine {
  const own = lines[type as PublicEventType] as ((data: Readonly<Record<string, unknown>>) => EventLine) | undefined;
  return own?.(data) ?? anyLine(type, data);
}

function anyLine(type: string, { title, name, repository, number, url }: Readonly<Record<string, unknown>>): EventLine {
  const words = type.replace(/^pr\./, 'pull request ').replace(/[._]/g, ' ');
  const headline = words.charAt(0).toUpperCase() + words.slice(1);
  const parts = [typeof repository === 'string' ? `${repository}#${String(number)}` : '', title ?? name ?? ''];
  const subject = parts.filter((part) => part !== '').join(' ');
  return { headline, ...(subject ? { subject } : {}), ...(typeof url === 'string' ? { url } : {}) };
}
