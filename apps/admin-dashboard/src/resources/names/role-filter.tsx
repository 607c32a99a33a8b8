import { useQuery } from '@tanstack/react-query';
import { type ComponentProps, useId } from 'react';
import { useMay } from '../../api/session.ts';
import { TextField } from '../../parts/field.tsx';
import { ChoiceFilter, type FilterProps, plainOptions, TextFilter } from '../log/log-filters.tsx';
import { agentsQuery } from '../task-queries.ts';

/** Roles of the agents that are listed, each once; `isAll`: false if other agents can have other roles. */
function useRoles(): { roles: readonly string[]; isAll: boolean } {
  const { data } = useQuery({ ...agentsQuery, enabled: useMay('agents:read') });
  return { roles: [...new Set(data?.data.map(({ role }) => role))].sort(), isAll: data?.isAll ?? true };
}

type RoleFilterProps = Omit<FilterProps, 'label'> & { any?: string; more?: readonly string[] };

/** A select while all roles are known, else a text field. */
export function RoleFilter({ any = 'Any role', more = [], ...filter }: RoleFilterProps) {
  const { roles, isAll } = useRoles();
  const known = [...new Set([...roles, ...more])].sort();
  if (!isAll) return <TextFilter key={filter.value} label="Role" suggestions={known} {...filter} />;
  return <ChoiceFilter label="Role" any={any} options={plainOptions(known)} {...filter} />;
}

/** Any role in a form, with those of the agents as suggestions. */
export function RoleField(props: ComponentProps<typeof TextField>) {
  const { roles } = useRoles();
  const id = useId();
  return (
    <>
      <TextField maxLength={64} {...props} list={id} />
      <datalist id={id}>
        {roles.map((role) => (
          <option key={role} value={role} />
        ))}
      </datalist>
    </>
  );
}
