import { api, read } from '../api/client.ts';
import { ArchiveButton } from '../resources/edit/archive-button.tsx';
import type { Workflow } from '../resources/run-queries.ts';

export function ArchiveWorkflow({ workflow: { id, archived_at: archivedAt } }: { workflow: Workflow }) {
  const params = { path: { workflow_id: id } };
  return (
    <ArchiveButton
      resource="workflows"
      archivedAt={archivedAt}
      archive={() => read(api.POST('/v1/workflows/{workflow_id}/archive', { params }))}
      unarchive={() => read(api.POST('/v1/workflows/{workflow_id}/unarchive', { params }))}
      done={{ archived: 'Workflow archived: no run can start, and runs go on', unarchived: 'Workflow unarchived' }}
    />
  );
}
