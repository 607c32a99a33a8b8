import { api, read } from '../api/client.ts';
import { Button } from '../parts/button.tsx';
import { sayProblem } from '../parts/toasts.tsx';
import type { Workflow } from '../resources/run-queries.ts';
import { useChange } from '../resources/use-change.ts';

/** It is taken back by the same button, so nobody is asked first. */
export function ArchiveButton({ workflow: { id, archived_at: archivedAt } }: { workflow: Workflow }) {
  const params = { path: { workflow_id: id } };
  const { mutate, isPending } = useChange({
    resource: 'workflows',
    send: () =>
      archivedAt === null
        ? read(api.POST('/v1/workflows/{workflow_id}/archive', { params }))
        : read(api.POST('/v1/workflows/{workflow_id}/unarchive', { params })),
    done: archivedAt === null ? 'Workflow archived: no run can start, and runs go on' : 'Workflow unarchived',
  });
  const failed = archivedAt === null ? 'Not archived' : 'Not unarchived';
  return (
    <Button disabled={isPending} onClick={() => mutate(undefined, { onError: (error) => sayProblem(failed, error) })}>
      {archivedAt === null ? 'Archive' : 'Unarchive'}
    </Button>
  );
}
