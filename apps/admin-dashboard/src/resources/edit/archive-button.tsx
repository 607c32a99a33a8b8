import type { Resource } from '../../live/stale-after.ts';
import { ChangeButton } from './change-button.tsx';

type Archiving = {
  resource: Resource;
  archivedAt: string | null;
  archive: () => Promise<unknown>;
  unarchive: () => Promise<unknown>;
  /** The messages after archiving and unarchiving. */
  done: { archived: string; unarchived: string };
};

/** The same button undoes it, so it asks for no confirmation. */
export function ArchiveButton({ resource, archivedAt, archive, unarchive, done }: Archiving) {
  const isArchived = archivedAt !== null;
  const change = {
    resource,
    send: isArchived ? unarchive : archive,
    done: isArchived ? done.unarchived : done.archived,
  };
  return (
    <ChangeButton change={change} failed={isArchived ? 'Not unarchived' : 'Not archived'}>
      {isArchived ? 'Unarchive' : 'Archive'}
    </ChangeButton>
  );
}
