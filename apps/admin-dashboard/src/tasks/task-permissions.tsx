import { useQuery } from '@tanstack/react-query';
import { api, read, type Schemas } from '../api/client.ts';
import { Moment } from '../parts/moment.tsx';
import parts from '../parts/parts.module.css';
import { Tag } from '../parts/tag.tsx';
import { ChangeButton } from '../resources/edit/change-button.tsx';
import { Actor } from '../resources/names/actor.tsx';
import styles from './tasks.module.css';

type Props = { taskId: string; mayChange: boolean };

/** Permissions that people gave the agents for the rest of a task. */
export function TaskPermissions({ taskId, mayChange }: Props) {
  const { data } = useQuery({
    queryKey: ['inputs', 'permissions', taskId],
    queryFn: ({ signal }) =>
      read(
        api.GET('/v1/tasks/{task_id}/permissions', {
          params: { path: { task_id: taskId }, query: { limit: 100 } },
          signal,
        }),
      ),
  });
  if (!data || data.data.length === 0) return null;
  return (
    <section aria-label="Permissions">
      <h2>Allowed for the rest of the task</h2>
      <p className={parts['small']}>
        Exactly these commands with this kind of tool; of tools without a command, what they said that they would do.
      </p>
      <ul>
        {data.data.map((permission) => (
          <li key={permission.id} className={styles['entry']}>
            <Tag>{permission.tool}</Tag> <code dir="auto">{permission.subject}</code>{' '}
            <span className={parts['small']}>
              by <Actor id={permission.allowed_by} /> <Moment at={permission.created_at} />
            </span>{' '}
            {mayChange && <TakeBack permission={permission} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

function TakeBack({ permission: { id, task_id: taskId, subject } }: { permission: Schemas['TaskPermission'] }) {
  const params = { path: { task_id: taskId, permission_id: id } };
  return (
    <ChangeButton
      aria-label={`Take back ${subject}`}
      change={{
        resource: 'inputs',
        send: () => read(api.DELETE('/v1/tasks/{task_id}/permissions/{permission_id}', { params })),
        done: 'Taken back: agents ask again',
      }}
      failed="Not taken back"
    >
      Take back
    </ChangeButton>
  );
}
