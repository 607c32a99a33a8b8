import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMay } from '../api/session.ts';
import parts from '../parts/parts.module.css';
import { useActorNames } from '../resources/names/actor-names.ts';
import { workflowsQuery } from '../resources/run-queries.ts';
import { webhooksQuery } from './access-queries.ts';

/** The name of an ID in the audit log; the ID itself if it has no name. */
function useName(id: string): string {
  const nameOf = useActorNames([id]);
  const webhooks = useQuery({ ...webhooksQuery, enabled: useMay('webhooks:read') && id.startsWith('whk_') }).data?.data;
  const workflows = useQuery({ ...workflowsQuery, enabled: useMay('workflows:read') && id.startsWith('wfl_') }).data
    ?.data;
  const named = webhooks?.find((one) => one.id === id)?.url ?? workflows?.find((one) => one.id === id)?.name;
  return named ?? nameOf(id);
}

/** A link with the name to the page of the ID, if there is one; `isWhole`: with the ID. */
export function Who({ id, isWhole = false }: { id: string; isWhole?: boolean }) {
  const name = useName(id);
  return (
    <>
      <PageLink id={id} name={name} />
      {isWhole && name !== id && (
        <>
          {' '}
          <code className={parts['small']}>{id}</code>
        </>
      )}
    </>
  );
}

function PageLink({ id, name }: { id: string; name: string }) {
  const title = name === id ? id : `${name} (${id})`;
  const common = { 'data-opens-page': true, title, children: <bdi>{name}</bdi> };
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
