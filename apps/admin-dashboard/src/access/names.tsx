import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMay } from '../api/session.ts';
import { agentsQuery } from '../work/task-queries.ts';
import { keysQuery, usersQuery } from './access-queries.ts';

/** What an id is called; the id itself of what has no name here. */
export function useNames(): (id: string) => string {
  const users = useQuery(usersQuery).data?.data ?? [];
  const keys = useQuery(keysQuery).data?.data ?? [];
  const agents = useQuery({ ...agentsQuery, enabled: useMay('agents:read') }).data?.data ?? [];
  return (id) => [...users, ...agents, ...keys].find((one) => one.id === id)?.name ?? id;
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
    default:
      return <span title={title}>{name}</span>;
  }
}
