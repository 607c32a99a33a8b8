import { LogFilters, TextFilter, TimeFilter } from '../resources/log/log-filters.tsx';
import { NameFilter } from '../resources/names/name-choice.tsx';
import { userNames } from './access-queries.ts';
import type { AuditSearch } from './access-search.ts';

type FiltersProps = { search: AuditSearch; onChange: (change: AuditSearch) => void };

export function AuditFilters({ search, onChange }: FiltersProps) {
  const filter = <T extends keyof AuditSearch>(name: T) => ({
    value: search[name],
    onChange: (value: string | undefined) => onChange({ [name]: value }),
  });
  return (
    <LogFilters>
      <NameFilter source={userNames} label="Who" any="Anyone" {...filter('actor_id')} />
      <TextFilter label="What, such as api_key.created" {...filter('action')} />
      <TextFilter label="To: the ID" {...filter('target_id')} />
      <TimeFilter label="After" {...filter('created_after')} />
      <TimeFilter label="Before" {...filter('created_before')} />
    </LogFilters>
  );
}
