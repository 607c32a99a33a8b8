import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useMay } from '../api/session.ts';
import { Moment } from '../parts/moment.tsx';
import { NotRead } from '../parts/notes.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Tag } from '../parts/tag.tsx';
import { Facts } from '../resources/facts.tsx';
import log from '../resources/log.module.css';
import { userQuery } from './access-queries.ts';
import { toneOf } from './access-words.ts';
import { ScopeList } from './fields.tsx';
import { Who } from './names.tsx';
import { useReadsAgain } from './use-access.ts';
import { UserActions } from './user-actions.tsx';

export function UserPage() {
  const { userId } = useParams({ from: '/users/$userId' });
  const { data, error, refetch } = useQuery(userQuery(userId));
  const mayManage = useMay('admin');
  useReadsAgain('users');
  if (!data) return <NotRead error={error} onRetry={() => void refetch()} />;
  const { value: user } = data;
  return (
    <>
      <PageHead title={user.name} before={<Tag tone={toneOf(user.status)}>{user.status}</Tag>}>
        {mayManage && <UserActions key={user.id} opened={data} />}
      </PageHead>
      <div className={log['page']}>
        <Facts
          facts={{
            'E-mail': user.email,
            Role: user.role ?? 'none: scopes of its own',
            'Last signed in': user.last_signed_in_at ? <Moment at={user.last_signed_in_at} /> : 'never',
            'Created by': <Who id={user.created_by} />,
            Created: <Moment at={user.created_at} />,
            ID: <code>{user.id}</code>,
            'Audit log': (
              <>
                <Link to="/audit" search={{ actor_id: user.id }} data-opens-page>
                  What the person did
                </Link>
                ,{' '}
                <Link to="/audit" search={{ target_id: user.id }} data-opens-page>
                  what was done to the account
                </Link>
              </>
            ),
          }}
        />
        <ScopeList scopes={user.scopes} />
      </div>
    </>
  );
}
