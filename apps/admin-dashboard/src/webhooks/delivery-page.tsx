import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { api, read, type Schemas } from '../api/client.ts';
import { useMay } from '../api/session.ts';
import { Button, buttonClass } from '../parts/button.tsx';
import { Moment } from '../parts/moment.tsx';
import { NotRead, ProblemNote } from '../parts/notes.tsx';
import { PageHead } from '../parts/page-head.tsx';
import parts from '../parts/parts.module.css';
import { Tag } from '../parts/tag.tsx';
import { Facts } from '../resources/facts.tsx';
import { Code } from '../resources/log/code.tsx';
import log from '../resources/log.module.css';
import { useChange } from '../resources/use-change.ts';
import { useLateReads } from '../resources/use-late-reads.ts';
import { deliveryQuery } from './webhook-queries.ts';
import { toneOf } from './webhook-words.ts';

type Detail = Schemas['DeliveryDetail'];

export function DeliveryPage() {
  const { webhookId, deliveryId } = useParams({ from: '/webhooks/$webhookId/deliveries/$deliveryId' });
  const { data: delivery, error, refetch } = useQuery(deliveryQuery(deliveryId));
  const mayChange = useMay('webhooks:write');
  useLateReads('deliveries');
  const params = { path: { delivery_id: deliveryId } };
  const resend = useChange({
    resource: 'deliveries',
    send: () => read(api.POST('/v1/deliveries/{delivery_id}/resend', { params })),
    done: 'Delivery is due at once',
  });
  if (!delivery) return <NotRead error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <PageHead
        title={delivery.event_type ?? delivery.event_id}
        before={<Tag tone={toneOf(delivery.status)}>{delivery.status}</Tag>}
      >
        <Link to="/webhooks/$webhookId" params={{ webhookId }} className={buttonClass()}>
          All deliveries
        </Link>
        {mayChange && (
          <Button look="primary" disabled={resend.isPending} onClick={() => resend.mutate()}>
            Resend
          </Button>
        )}
      </PageHead>
      <div className={log['page']}>
        {resend.error && <ProblemNote error={resend.error} />}
        <DeliveryFacts delivery={delivery} />
        <Attempts delivery={delivery} />
        <Request request={delivery.request} />
      </div>
    </>
  );
}

const DeliveryFacts = ({ delivery }: { delivery: Detail }) => (
  <Facts
    facts={{
      Event: delivery.event_id,
      Delivery: delivery.id,
      Reason: delivery.reason,
      Created: <Moment at={delivery.created_at} />,
      'Next attempt': delivery.next_attempt_at !== null && <Moment at={delivery.next_attempt_at} />,
    }}
  />
);

const Attempts = ({ delivery: { history, history_truncated: isCut } }: { delivery: Detail }) => (
  <section aria-label="Attempts">
    <h2>Attempts</h2>
    {history.length === 0 && <p>None yet.</p>}
    {isCut && <p className={parts['small']}>Older attempts are not shown.</p>}
    <ol>
      {history.toReversed().map((attempt) => (
        <Attempt key={attempt.number} attempt={attempt} />
      ))}
    </ol>
  </section>
);

const phaseNames = [
  ['dns_ms', 'name lookup'],
  ['connect_ms', 'connection'],
  ['tls_ms', 'TLS'],
  ['first_byte_ms', 'first byte'],
  ['body_ms', 'body'],
] as const;

function Attempt({ attempt }: { attempt: Schemas['DeliveryAttempt'] }) {
  const { phases, response_headers: headers } = attempt;
  const known = phases ? phaseNames.filter(([name]) => phases[name] !== null) : [];
  return (
    <li className={log['entry']}>
      <div className={parts['row']}>
        <h3>Attempt {attempt.number}</h3>
        <Tag tone={attempt.outcome === 'delivered' ? 'good' : 'bad'}>{attempt.outcome}</Tag>
        {attempt.status !== null && <span>Status {attempt.status}</span>}
        <Moment at={attempt.started_at} />
        <span>{attempt.duration_ms} ms</span>
      </div>
      {known.length > 0 && (
        <p className={parts['small']}>{known.map(([name, label]) => `${label} ${phases?.[name]} ms`).join(', ')}</p>
      )}
      {attempt.url !== null && <p className={parts['small']}>To {attempt.url}</p>}
      {attempt.error !== null && (
        <p className={parts['text']} dir="auto">
          {attempt.error}
        </p>
      )}
      {headers !== null && <Code label="Response headers">{linesOf(headers)}</Code>}
      {attempt.response !== null && (
        <Code label={attempt.is_response_cut ? 'Response (its beginning)' : 'Response'}>
          {attempt.response || '(empty body)'}
        </Code>
      )}
    </li>
  );
}

const linesOf = (headers: Readonly<Record<string, unknown>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join('\n');

const Request = ({ request: { url, headers, custom_headers: own, body } }: { request: Detail['request'] }) => (
  <section aria-label="Request">
    <h2>Request</h2>
    <p className={parts['text']} dir="auto">
      POST {url}
    </p>
    <Code label="Headers">{linesOf(headers)}</Code>
    {own.length > 0 && <p className={parts['small']}>Own headers, values not shown: {own.join(', ')}</p>}
    {body ? (
      <Code label="Body">{JSON.stringify(body, null, 2)}</Code>
    ) : (
      <p>The event is no longer stored, or your scopes do not let you read it.</p>
    )}
  </section>
);
