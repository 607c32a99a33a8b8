import { useQuery } from '@tanstack/react-query';
import { integrationsQuery } from '../work/integrations/integration-list.ts';
import { nameOf } from '../work/integrations/integration-names.ts';
import { ChoiceFilter, LogFilters, plainOptions, TextFilter, TimeFilter } from '../work/log/log-filters.tsx';
import type { InboundFilters } from './inbound-search.ts';
import { inboundStates } from './inbound-words.ts';

/** Integrations that receive, by id, with `chosen` even if it is not among the first hundred. */
export function useSenders(chosen: string | undefined): Readonly<Record<string, string>> {
  const { data } = useQuery(integrationsQuery);
  const senders = (data?.data ?? []).filter(({ type }) => type !== 'slack');
  return {
    ...(chosen === undefined ? {} : { [chosen]: chosen }),
    ...Object.fromEntries(senders.map((integration) => [integration.id, nameOf(integration)])),
    unsigned: 'Without a signature',
  };
}

export type InboundFiltersProps = { filters: InboundFilters; onChange: (change: InboundFilters) => void };

export function InboundFilterBar({ filters, onChange }: InboundFiltersProps) {
  const set = (name: keyof InboundFilters) => (value: string | undefined) =>
    onChange({ [name]: value } as InboundFilters);
  return (
    <LogFilters>
      <ChoiceFilter
        label="State"
        any="Any state"
        options={plainOptions(inboundStates)}
        value={filters.state}
        onChange={set('state')}
      />
      <ChoiceFilter
        label="Integration"
        any="Any integration"
        options={useSenders(filters.integration_id)}
        value={filters.integration_id}
        onChange={set('integration_id')}
      />
      <TextFilter label="Event" value={filters.event} onChange={set('event')} />
      <TextFilter label="ID at the sender" value={filters.external_id} onChange={set('external_id')} />
      <TimeFilter label="Received after" value={filters.received_after} onChange={set('received_after')} />
      <TimeFilter label="Received before" value={filters.received_before} onChange={set('received_before')} />
    </LogFilters>
  );
}
