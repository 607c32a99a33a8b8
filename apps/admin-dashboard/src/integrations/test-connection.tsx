import { api, read } from '../api/client.ts';
import { Button } from '../parts/button.tsx';
import { Moment } from '../parts/moment.tsx';
import { ProblemNote } from '../parts/notes.tsx';
import parts from '../parts/parts.module.css';
import { Tag } from '../parts/tag.tsx';
import type { Integration } from '../resources/integrations/integration-names.ts';
import { useChange } from '../resources/use-change.ts';

/** Tests an integration and shows the result. */
export function TestConnection({ integration: { id, type } }: { integration: Integration }) {
  const params = { path: { integration_id: id } };
  const test = useChange({
    resource: 'integrations',
    send: () => read(api.POST('/v1/integrations/{integration_id}/test', { params })),
  });
  return (
    <section aria-label="Test" className={parts['field']}>
      <div className={parts['row']}>
        <Button disabled={test.isPending} onClick={() => test.mutate()}>
          Test
        </Button>
        <span className={parts['small']}>
          {type === 'slack' ? 'Posts a message to the chat.' : 'Signs a webhook with the stored secret and checks it.'}
        </span>
      </div>
      {test.error && <ProblemNote error={test.error} />}
      {test.data && (
        <div role="status" className={parts['row']}>
          <Tag tone={test.data.is_accepted ? 'good' : 'bad'}>{test.data.is_accepted ? 'accepted' : 'not accepted'}</Tag>
          <span>{[test.data.reason, test.data.error, test.data.detail].filter(Boolean).join(': ')}</span>
          <span className={parts['small']}>
            Last received: {test.data.last_received_at ? <Moment at={test.data.last_received_at} /> : 'nothing yet'}
          </span>
        </div>
      )}
    </section>
  );
}
