import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useMay } from '../api/session.ts';
import { Moment } from '../parts/moment.tsx';
import { NotRead } from '../parts/notes.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Facts } from '../resources/facts.tsx';
import log from '../resources/log.module.css';
import { clientQuery } from './access-queries.ts';
import { limitText } from './access-words.ts';
import { ClientActions } from './client-actions.tsx';
import { ScopeList } from './fields.tsx';
import { Who } from './names.tsx';
import { useReadsAgain } from './use-access.ts';

export function ClientPage() {
  const { clientId } = useParams({ from: '/clients/$clientId' });
  const { data, error, refetch } = useQuery(clientQuery(clientId));
  const mayManage = useMay('admin');
  useReadsAgain('clients');
  if (!data) return <NotRead error={error} onRetry={() => void refetch()} />;
  const { value: client } = data;
  return (
    <>
      <PageHead title={client.name}>{mayManage && <ClientActions key={client.id} opened={data} />}</PageHead>
      <div className={log['page']}>
        <Facts
          facts={{
            'Client ID': <code>{client.id}</code>,
            Kind: client.is_public ? 'public, without a secret' : 'with a secret',
            'Redirect addresses': (
              <ul>
                {client.redirect_uris.map((uri) => (
                  <li key={uri}>{uri}</li>
                ))}
              </ul>
            ),
            Limit: limitText(client),
            'Created by': <Who id={client.created_by} />,
            Created: <Moment at={client.created_at} />,
            'Audit log': (
              <Link to="/audit" search={{ target_id: client.id }} data-opens-page>
                What was done to it
              </Link>
            ),
          }}
        />
        <ScopeList scopes={client.scopes} />
      </div>
    </>
  );
}
