import { Button } from '../../parts/button.tsx';
import { sayProblem } from '../../parts/toasts.tsx';
import type { Resource } from '../../live/stale-after.ts';
import { useChange } from '../use-change.ts';

type Archiving = {
  resource: Resource;
  archivedAt: string | null;
  archive: () => Promise<unknown>;
  unarchive: () => Promise<unknown>;
  /** What is said when it was archived and when that was taken back. */
  done: { archived: string; unarchived: string };
};

/** It is taken back by the same button, so nobody is asked first. */
export function ArchiveButton({ resource, archivedAt, archive, unarchive, done }: Archiving) {
  const isArchived = archivedAt !== null;
  const { mutate, isPending } = useChange({
    resource,
    send: isArchived ? unarchive : archive,
    done: isArchived ? done.unarchived : done.archived,
  });
  const failed = isArchived ? 'Not unarchived' : 'Not archived';
  return (
    <Button disabled={isPending} onClick={() => mutate(undefined, { onError: (error) => sayProblem(failed, error) })}>
      {isArchived ? 'Unarchive' : 'Archive'}
    </Button>
  );
}
