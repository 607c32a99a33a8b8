import { ChoiceFilter, LogFilters, plainOptions, TextFilter, TimeFilter } from '../resources/log/log-filters.tsx';
import { NameFilter } from '../resources/names/name-choice.tsx';
import { senderNames } from '../resources/names/sources.ts';
import type { InboundFilters } from './inbound-search.ts';
import { inboundStates } from './inbound-words.ts';

/** In place of an integration. */
export const unsigned = { unsigned: 'Without a signature' };

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
      <NameFilter
        source={senderNames}
        label="Integration"
        any="Any integration"
        others={unsigned}
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
