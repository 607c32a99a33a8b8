import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useMay } from '../api/session.ts';
import { Moment } from '../parts/moment.tsx';
import { NotRead } from '../parts/notes.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Tag } from '../parts/tag.tsx';
import { Facts } from '../resources/facts.tsx';
import log from '../resources/log.module.css';
import { keyQuery } from './access-queries.ts';
import { limitText, toneOf } from './access-words.ts';
import { ScopeList } from './fields.tsx';
import { KeyActions } from './key-actions.tsx';
import { Who } from './names.tsx';
import { useReadsAgain } from './use-access.ts';

export function KeyPage() {
  const { keyId } = useParams({ from: '/keys/$keyId' });
  const { data, error, refetch } = useQuery(keyQuery(keyId));
  const mayManage = useMay('admin');
  useReadsAgain('keys');
  if (!data) return <NotRead error={error} onRetry={() => void refetch()} />;
  const { value: key } = data;
  return (
    <>
      <PageHead title={key.name} before={<Tag tone={toneOf(key.status)}>{key.status}</Tag>}>
        {mayManage && key.status !== 'revoked' && <KeyActions key={key.id} opened={data} />}
      </PageHead>
      <div className={log['page']}>
        <Facts
          facts={{
            Key: <code>{`${key.prefix}…${key.last_four}`}</code>,
            Agent: key.agent_id && <Who id={key.agent_id} />,
            Limit: limitText(key),
            'Last used': key.last_used_at ? <Moment at={key.last_used_at} /> : 'never',
            Expires: key.expires_at ? <Moment at={key.expires_at} /> : 'never',
            'Created by': <Who id={key.created_by} />,
            Created: <Moment at={key.created_at} />,
            ID: <code>{key.id}</code>,
            'Audit log': (
              <Link to="/audit" search={{ target_id: key.id }} data-opens-page>
                What was done to it
              </Link>
            ),
          }}
        />
        <ScopeList scopes={key.scopes} />
      </div>
    </>
  );
}
