import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { projectsQuery } from '../project-queries.ts';

/** A link to a project by its name. */
export function ProjectLink({ id }: { id: string }) {
  const { data } = useQuery(projectsQuery);
  return (
    <Link to="/projects/$projectId" params={{ projectId: id }} data-opens-page dir="auto">
      {data?.data.find((project) => project.id === id)?.name ?? id}
    </Link>
  );
}
