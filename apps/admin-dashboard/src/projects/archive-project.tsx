import { api, read } from '../api/client.ts';
import { Button } from '../parts/button.tsx';
import { sayProblem } from '../parts/toasts.tsx';
import type { Project } from '../resources/project-queries.ts';
import { useChange } from '../resources/use-change.ts';

/** It is taken back by the same button, so nobody is asked first. */
export function ArchiveProject({ project: { id, archived_at: archivedAt } }: { project: Project }) {
  const params = { path: { project_id: id } };
  const { mutate, isPending } = useChange({
    resource: 'projects',
    send: () =>
      archivedAt === null
        ? read(api.POST('/v1/projects/{project_id}/archive', { params }))
        : read(api.POST('/v1/projects/{project_id}/unarchive', { params })),
    done: archivedAt === null ? 'Project archived: no new task can have it' : 'Project unarchived',
  });
  const failed = archivedAt === null ? 'Not archived' : 'Not unarchived';
  return (
    <Button disabled={isPending} onClick={() => mutate(undefined, { onError: (error) => sayProblem(failed, error) })}>
      {archivedAt === null ? 'Archive' : 'Unarchive'}
    </Button>
  );
}
