import { basePath } from '../api/base-path.ts';
import { TableHead } from '../resources/charts/table-head.tsx';
import styles from './system.module.css';
import type { SystemState } from './system-queries.ts';

const columns = ['waiting', 'active', 'delayed', 'failed'] as const;

export const QueueTable = ({ queues }: { queues: SystemState['queues'] }) => (
  <section aria-label="Queues">
    <h2>Queues</h2>
    {queues === null ? (
      <p role="alert">The queue store does not respond. Nothing is lost: work waits in Postgres until it is back.</p>
    ) : (
      <table className={styles['table']}>
        <TableHead columns={['Queue', ...columns]} />
        <tbody>
          {queues.map((queue) => (
            <tr key={queue.name}>
              <th scope="row">{queue.name}</th>
              {columns.map((name) => (
                <td key={name}>{queue[name]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    )}
    <p>
      <a href={`${basePath}/admin/queues`}>Open the queues</a>
    </p>
  </section>
);
