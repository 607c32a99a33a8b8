import { api, read } from '../api/client.ts';
import { ArchiveButton } from '../resources/edit/archive-button.tsx';
import type { Project } from '../resources/project-queries.ts';

export function ArchiveProject({ project: { id, archived_at: archivedAt } }: { project: Project }) {
  const params = { path: { project_id: id } };
  return (
    <ArchiveButton
      resource="projects"
      archivedAt={archivedAt}
      archive={() => read(api.POST('/v1/projects/{project_id}/archive', { params }))}
      unarchive={() => read(api.POST('/v1/projects/{project_id}/unarchive', { params }))}
      done={{ archived: 'Project archived: no new task can have it', unarchived: 'Project unarchived' }}
    />
  );
}
