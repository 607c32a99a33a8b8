import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../api/session.ts';
import { Button, buttonClass } from '../parts/button.tsx';
import { Moment } from '../parts/moment.tsx';
import { NotRead } from '../parts/notes.tsx';
import { PageHead } from '../parts/page-head.tsx';
import parts from '../parts/parts.module.css';
import { Tag } from '../parts/tag.tsx';
import { Facts } from '../resources/facts.tsx';
import type { Project } from '../resources/project-queries.ts';
import { ArchiveProject } from './archive-project.tsx';
import { GitPart } from './git-part.tsx';
import { EditProject } from './project-form.tsx';
import { projectQuery, type ReadProject } from './project-queries.ts';
import styles from './projects.module.css';
import { Tags } from './tags.tsx';

export function ProjectPage() {
  const { projectId } = useParams({ from: '/projects/$projectId' });
  const { data, error, refetch } = useQuery(projectQuery(projectId));
  const mayWrite = useMay('projects:write');
  if (!data) return <NotRead error={error} onRetry={() => void refetch()} />;
  const project = data.value;
  return (
    <>
      <PageHead title={project.name}>
        <Link to="/tasks" search={{ project: project.id }} className={buttonClass()} data-opens-page>
          Tasks
        </Link>
        {mayWrite && <Actions opened={data} />}
      </PageHead>
      <div className={styles['page']}>
        <div className={styles['story']}>
          {project.archived_at !== null && (
            <p>
              <Tag tone="warn">archived</Tag> No new task can have it. Tasks that have it keep it.
            </p>
          )}
          <p className={parts['text']} dir="auto">
            {project.description}
          </p>
          {project.repositories.length === 0 && <p>It has no repositories.</p>}
          {project.repositories.map((repository) => (
            <GitPart key={repository.url} repository={repository} />
          ))}
        </div>
        <ProjectFacts project={project} />
      </div>
    </>
  );
}

function Actions({ opened }: { opened: ReadProject }) {
  const [isEdited, setEdited] = useState(false);
  return (
    <>
      <Button look="primary" onClick={() => setEdited(true)}>
        Edit
      </Button>
      <ArchiveProject project={opened.value} />
      {isEdited && <EditProject opened={opened} onClose={() => setEdited(false)} />}
    </>
  );
}

function ProjectFacts({ project }: { project: Project }) {
  const { defaults, version, created_at: created, updated_at: updated, archived_at: archived } = project;
  const facts = {
    Role: defaults.assigned_role ?? 'any',
    Priority: defaults.priority ?? 'medium',
    'Rounds of rework': project.max_rework_rounds,
    Tags: defaults.tags && <Tags texts={defaults.tags} />,
    Version: version,
    Changed: <Moment at={updated} />,
    Created: <Moment at={created} />,
    ...(archived !== null && { Archived: <Moment at={archived} /> }),
    ID: <code>{project.id}</code>,
  };
  return (
    <aside aria-label="About the project">
      <Facts facts={facts} />
      <p className={parts['small']}>Role, priority and tags are those of new tasks that name none.</p>
    </aside>
  );
}
