import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
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
import { useChoices } from '../resources/names/name-source.ts';
import { senderNames } from '../resources/names/sources.ts';
import { useChange } from '../resources/use-change.ts';
import { useLateReads } from '../resources/use-late-reads.ts';
import { unsigned } from './inbound-filters.tsx';
import { inboundEventQuery } from './inbound-queries.ts';
import { reasonWord, stateSentence, stateTone } from './inbound-words.ts';

type Detail = Schemas['InboundEventDetail'];

export function InboundEventPage() {
  const { inboundEventId } = useParams({ from: '/inbound/$inboundEventId' });
  const { data: event, error, refetch } = useQuery(inboundEventQuery(inboundEventId));
  const mayChange = useMay('integrations:write');
  useLateReads('inbound');
  const params = { path: { inbound_event_id: inboundEventId } };
  const replay = useChange({
    resource: 'inbound',
    send: () => read(api.POST('/v1/inbound-events/{inbound_event_id}/replay', { params })),
    done: 'It is applied again',
  });
  if (!event) return <NotRead error={error} onRetry={() => void refetch()} />;
  const isReplayable = event.body !== null && event.state !== 'received';
  return (
    <>
      <PageHead title={event.event} before={<Tag tone={stateTone(event.state)}>{event.state}</Tag>}>
        <Link to="/inbound" className={buttonClass()}>
          All received webhooks
        </Link>
        {mayChange && isReplayable && (
          <Button look="primary" disabled={replay.isPending} onClick={() => replay.mutate()}>
            Replay
          </Button>
        )}
      </PageHead>
      <div className={log['page']}>
        {replay.error && <ProblemNote error={replay.error} />}
        <Outcome event={event} />
        <Body body={event.body} />
      </div>
    </>
  );
}

function Outcome({ event }: { event: Detail }) {
  const facts = {
    Reason: event.reason && `${event.reason}: ${reasonWord(event.reason)}`,
    Detail: event.detail,
    Integration: <Sender id={event.integration_id} />,
    'ID at the sender': event.external_id,
    Received: <Moment at={event.received_at} />,
    Settled: event.settled_at && <Moment at={event.settled_at} />,
    Repeats: event.repeats > 0 && `arrived ${event.repeats} more times, which were not applied`,
  };
  return (
    <section aria-label="What became of it">
      <h2>What became of it</h2>
      <p>{stateSentence(event.state)}</p>
      <Facts facts={facts} />
    </section>
  );
}

function Sender({ id }: { id: string | null }) {
  const name = useChoices(senderNames, id ?? 'unsigned', unsigned).labels[id ?? 'unsigned'];
  if (id === null) return name;
  return (
    <Link to="/integrations/$integrationId" params={{ integrationId: id }} data-opens-page>
      {name}
    </Link>
  );
}

/** Longer texts take a browser seconds to lay out. */
const shownChars = 100_000;

function Body({ body }: { body: string | null }) {
  const [isFormatted, setIsFormatted] = useState(false);
  const [isWhole, setIsWhole] = useState(false);
  if (body === null)
    return (
      <section aria-label="Body">
        <h2>Body</h2>
        <p>It was removed for its age, so that it cannot be replayed.</p>
      </section>
    );
  const formatted = formatJson(body);
  const text = (isFormatted && formatted) || body;
  const isCut = !isWhole && text.length > shownChars;
  return (
    <section aria-label="Body">
      <h2>Body</h2>
      <div className={parts['row']}>
        {formatted !== undefined && (
          <Button aria-pressed={isFormatted} onClick={() => setIsFormatted(!isFormatted)}>
            With line breaks
          </Button>
        )}
        {isCut && <Button onClick={() => setIsWhole(true)}>Show all of its {text.length} characters</Button>}
      </div>
      <Code label={isCut ? 'Its beginning' : isFormatted ? 'With line breaks' : 'As it arrived'}>
        {(isCut ? text.slice(0, shownChars) : text) || '(empty body)'}
      </Code>
    </section>
  );
}

function formatJson(body: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return undefined;
  }
}
