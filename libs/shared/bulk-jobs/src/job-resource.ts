import { formatTimestamp } from '@eas/core';
import type { JobRow } from './job-kind.ts';

/** What clients see of a job: what all have, around the subject and the other fields of its kind. */
export const jobResource = <Status extends string, Subject extends object, Own extends object>(
  { id, status, createdBy, createdAt, updatedAt, finishedAt }: JobRow & { status: Status },
  subject: Subject,
  own: Own,
) => ({
  id,
  ...subject,
  status,
  ...own,
  created_by: createdBy,
  created_at: formatTimestamp(createdAt),
  updated_at: formatTimestamp(updatedAt),
  finished_at: finishedAt && formatTimestamp(finishedAt),
});
