import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Modal } from '../parts/modal.tsx';
import { EmptyState, NotRead } from '../parts/notes.tsx';
import parts from '../parts/parts.module.css';
import { exactTime } from '../parts/times.ts';
import { Facts } from '../resources/facts.tsx';
import { entryQuery } from './access-queries.ts';
import type { Entry } from './access-words.ts';
import { Who } from './names.tsx';

/** One entry with all that is known of it. */
export function AuditEntry({ id, onClose }: { id: string; onClose: () => void }) {
  const { data: entry, error, refetch } = useQuery(entryQuery(id));
  return (
    <Modal title={entry?.action ?? 'Entry'} isOpen onClose={onClose}>
      {entry === undefined && <NotRead error={error} onRetry={() => void refetch()} />}
      {entry === null && <EmptyState title="No entry">No entry of the audit log has this ID.</EmptyState>}
      {entry && <Whole entry={entry} />}
    </Modal>
  );
}

function Whole({ entry }: { entry: Entry }) {
  const { actor_id: actor, credential_id: credential, target_id: target, data } = entry;
  return (
    <>
      <Facts
        facts={{
          Who: <Who id={actor} isWhole />,
          With: credential !== null && credential !== actor && <Who id={credential} isWhole />,
          To: target !== null && <Who id={target} isWhole />,
          When: <time dateTime={entry.created_at}>{exactTime(entry.created_at)}</time>,
          From: entry.remote_address,
          Request: entry.request_id,
          More: (
            <>
              <Link to="/audit" search={{ actor_id: actor }}>
                All by the same
              </Link>
              {target !== null && (
                <>
                  ,{' '}
                  <Link to="/audit" search={{ target_id: target }}>
                    all to the same
                  </Link>
                </>
              )}
            </>
          ),
        }}
      />
      {Object.keys(data).length > 0 && (
        <pre className={parts['code']} tabIndex={0}>
          {JSON.stringify(data, null, 2)}
        </pre>
      )}
    </>
  );
}
