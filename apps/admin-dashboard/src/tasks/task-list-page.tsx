import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMay } from '../api/session.ts';
import { Button } from '../parts/button.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { useShortcuts } from '../parts/shortcuts.ts';
import { SavedViews } from '../resources/saved-views.tsx';
import { CreateTask } from './create-task.tsx';
import { TaskBoard } from './task-board.tsx';
import { TaskFilters } from './task-filters.tsx';
import { readTaskSearch, type TaskSearch } from './task-search.ts';
import { TaskTable } from './task-table.tsx';

export function TaskListPage() {
  const search: TaskSearch = useSearch({ from: '/tasks' });
  const navigate = useNavigate({ from: '/tasks' });
  const mayCreate = useMay('tasks:write');
  const change = (next: object) => void navigate({ to: '/tasks', search: { ...search, ...next }, replace: true });
  const isBoard = search.view === 'board';
  const toggleView = () => change({ view: isBoard ? undefined : 'board' });
  const create = () => mayCreate && change({ new: true });
  useShortcuts([
    { keys: 'n', label: 'Create a task', run: create },
    { keys: 'b', label: 'Table or board', run: toggleView },
  ]);
  const { new: isNew, saved, ...shown } = search;
  return (
    <>
      <PageHead title="Tasks">
        <SavedViews
          kind="task_view"
          noun="view"
          chosen={saved}
          onChoose={(view) =>
            void navigate({
              to: '/tasks',
              search: view ? { ...readTaskSearch(view.data), saved: view.id } : {},
              replace: true,
            })
          }
          current={() => shown}
        />
        <Button shortcut="b" onClick={toggleView}>
          {isBoard ? 'Table' : 'Board'}
        </Button>
        {mayCreate && (
          <Button look="primary" shortcut="n" onClick={create}>
            Create
          </Button>
        )}
      </PageHead>
      <TaskFilters key={saved ?? ''} search={search} onChange={change} />
      {isBoard ? (
        <TaskBoard search={shown} />
      ) : (
        <TaskTable key={JSON.stringify(shown)} search={shown} onCreate={create} />
      )}
      {isNew && mayCreate && (
        <CreateTask
          onClose={() => change({ new: undefined })}
          onCreated={(taskId) => void navigate({ to: '/tasks/$taskId', params: { taskId } })}
        />
      )}
    </>
  );
}
