import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMay } from '../api/session.ts';
import { agentsQuery } from '../resources/task-queries.ts';
import { integrationsQuery } from '../resources/integrations/integration-list.ts';
import { nameOf } from '../resources/integrations/integration-names.ts';
import { workflowsQuery } from '../resources/run-queries.ts';
import { keysQuery, usersQuery, webhooksQuery } from './access-queries.ts';
import type { Entry } from './access-words.ts';

/** What an id is called; the id itself of what has no name here. */
export function useNames(): (id: string) => string {
  const users = useQuery(usersQuery).data?.data ?? [];
  const keys = useQuery(keysQuery).data?.data ?? [];
  const agents = useQuery({ ...agentsQuery, enabled: useMay('agents:read') }).data?.data ?? [];
  return (id) => [...users, ...agents, ...keys].find((one) => one.id === id)?.name ?? id;
}

/** What an id in an entry of the audit log is called: by the entry, or as it is called now; else the id itself. */
export function useEntryNames(): (entry: Entry, id: string) => string {
  const agents = useQuery({ ...agentsQuery, enabled: useMay('agents:read') }).data?.data ?? [];
  const webhooks = useQuery({ ...webhooksQuery, enabled: useMay('webhooks:read') }).data?.data ?? [];
  const workflows = useQuery({ ...workflowsQuery, enabled: useMay('workflows:read') }).data?.data ?? [];
  const integrations = useQuery({ ...integrationsQuery, enabled: useMay('integrations:read') }).data?.data ?? [];
  const names = new Map([
    ...[...agents, ...workflows].map(({ id, name }) => [id, name] as const),
    ...webhooks.map(({ id, url }) => [id, url] as const),
    ...integrations.map((integration) => [integration.id, nameOf(integration)] as const),
  ]);
  return (entry, id) => entry.names[id] ?? names.get(id) ?? id;
}

type WhoProps = { id: string; name: string };

/** A link to the page of whatever has the id, if it has one. */
export function Who({ id, name }: WhoProps) {
  const title = name === id ? id : `${name} (${id})`;
  const common = { 'data-opens-page': true, title, children: name };
  switch (id.split('_')[0]) {
    case 'usr':
      return <Link to="/users/$userId" params={{ userId: id }} {...common} />;
    case 'key':
      return <Link to="/keys/$keyId" params={{ keyId: id }} {...common} />;
    case 'cli':
      return <Link to="/clients/$clientId" params={{ clientId: id }} {...common} />;
    case 'agt':
      return <Link to="/agents/$agentId" params={{ agentId: id }} {...common} />;
    case 'whk':
      return <Link to="/webhooks/$webhookId" params={{ webhookId: id }} {...common} />;
    case 'wfl':
      return <Link to="/workflows/$workflowId" params={{ workflowId: id }} {...common} />;
    case 'int':
      return <Link to="/integrations/$integrationId" params={{ integrationId: id }} {...common} />;
    default:
      return <span title={title}>{name}</span>;
  }
}
