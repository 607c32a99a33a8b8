import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useMay } from '../api/session.ts';
import { Moment } from '../parts/moment.tsx';
import { NotRead } from '../parts/notes.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Tag } from '../parts/tag.tsx';
import { Facts } from '../resources/facts.tsx';
import log from '../resources/log.module.css';
import { useLateReads } from '../resources/use-late-reads.ts';
import { DeliveryLog } from './delivery-log.tsx';
import { healthSentence } from './health-sentence.ts';
import { Replays } from './replays.tsx';
import { WebhookActions } from './webhook-actions.tsx';
import { deliveryCountQuery, webhookQuery } from './webhook-queries.ts';
import { type DeliveryStatus, toneOf, type Webhook } from './webhook-words.ts';

export function WebhookPage() {
  const { webhookId } = useParams({ from: '/webhooks/$webhookId' });
  const { data, error, refetch } = useQuery(webhookQuery(webhookId));
  const mayChange = useMay('webhooks:write');
  useLateReads('deliveries');
  if (!data) return <NotRead error={error} onRetry={() => void refetch()} />;
  const webhook = data.value;
  return (
    <>
      <PageHead title={webhook.url} before={<Tag tone={toneOf(webhook.status)}>{webhook.status}</Tag>}>
        {mayChange && <WebhookActions opened={data} />}
      </PageHead>
      <div className={log['page']}>
        <Health webhook={webhook} />
        <Replays webhookId={webhook.id} />
      </div>
      <DeliveryLog webhookId={webhook.id} />
    </>
  );
}

const When = ({ at }: { at: string | null }) => (at === null ? 'never' : <Moment at={at} />);

function Health({ webhook }: { webhook: Webhook }) {
  const { status_reason: reason, failing_since: since, previous_secret_until: secretUntil } = webhook;
  return (
    <section aria-label="Health">
      <h2>Health</h2>
      <p>{healthSentence(webhook)}</p>
      <Facts
        facts={{
          Reason: reason,
          Backlog: (
            <>
              <Count webhookId={webhook.id} status="pending" /> pending, <Count webhookId={webhook.id} status="held" />{' '}
              held
            </>
          ),
          'Given up': <Count webhookId={webhook.id} status="dead" />,
          'Failures in a row': webhook.failures_in_row > 0 && webhook.failures_in_row,
          'Failing since': since !== null && <Moment at={since} />,
          'Last success': <When at={webhook.last_success_at} />,
          'Last failure': <When at={webhook.last_failure_at} />,
          Events: webhook.events.join(', '),
          Description: webhook.description,
          Order: webhook.ordering === 'task' ? 'by task' : 'any',
          Limit: webhook.max_per_second === null ? 'none' : `${webhook.max_per_second} a second`,
          'Own headers': webhook.header_names.length > 0 && webhook.header_names.join(', '),
          'Previous secret': secretUntil !== null && (
            <>
              signs too until <Moment at={secretUntil} />
            </>
          ),
        }}
      />
    </section>
  );
}

function Count({ webhookId, status }: { webhookId: string; status: DeliveryStatus }) {
  const { data } = useQuery(deliveryCountQuery(webhookId, status));
  return data ?? '…';
}
