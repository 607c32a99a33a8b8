import { useQuery } from '@tanstack/react-query';
import log from '../work/log.module.css';
import { fromLocalTime, toLocalTime } from '../work/read-search.ts';
import { usersQuery } from './access-queries.ts';
import type { AuditSearch } from './access-search.ts';

type FiltersProps = { search: AuditSearch; onChange: (change: AuditSearch) => void };

export const AuditFilters = ({ search, onChange }: FiltersProps) => (
  <div className={log['filters']} role="group" aria-label="Filters">
    <WhoFilter search={search} onChange={onChange} />
    {(['action', 'target_id'] as const).map((name) => (
      <input
        key={name}
        aria-label={name === 'action' ? 'What, such as api_key.created' : 'To: the ID'}
        placeholder={name === 'action' ? 'api_key.created' : 'ID of what was changed'}
        defaultValue={search[name] ?? ''}
        onBlur={({ target }) =>
          target.value !== (search[name] ?? '') && onChange({ [name]: target.value.trim() || undefined })
        }
        onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
      />
    ))}
    {(['created_after', 'created_before'] as const).map((name) => (
      <input
        key={name}
        type="datetime-local"
        aria-label={name === 'created_after' ? 'After' : 'Before'}
        title={name === 'created_after' ? 'After' : 'Before'}
        defaultValue={toLocalTime(search[name])}
        onBlur={({ target }) =>
          target.value !== toLocalTime(search[name]) && onChange({ [name]: fromLocalTime(target.value) })
        }
      />
    ))}
  </div>
);

function WhoFilter({ search: { actor_id: chosen }, onChange }: FiltersProps) {
  const users = useQuery(usersQuery).data?.data ?? [];
  const isOther = chosen !== undefined && !users.some(({ id }) => id === chosen);
  return (
    <select
      aria-label="Anyone"
      value={chosen ?? ''}
      onChange={({ target }) => onChange({ actor_id: target.value || undefined })}
    >
      <option value="">Anyone</option>
      {isOther && <option value={chosen}>{chosen}</option>}
      {users.map(({ id, name, email }) => (
        <option key={id} value={id}>
          {name} ({email})
        </option>
      ))}
    </select>
  );
}
