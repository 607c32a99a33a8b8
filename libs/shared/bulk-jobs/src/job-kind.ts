import type { newId } from '@eas/core';
import type { Tx } from '@eas/db';

/** What the rows of all jobs have. */
export type JobRow = {
  id: string;
  /** `running`, `completed`, `cancelled` or `failed`: the table has a constraint. */
  status: string;
  createdBy: string;
  createdAt: Date;
  updatedAt: Date;
  finishedAt: Date | null;
};

export type OwnFields<Row extends JobRow> = Omit<Row, keyof JobRow>;

export type JobKind<Row extends JobRow> = {
  /** Its name in messages: `The <name> does not exist.` */
  name: string;
  table: string;
  idKind: Parameters<typeof newId>[0];
  /** Its own fields. Columns have their names in snake case. */
  own: Record<keyof OwnFields<Row>, true>;
  limits: JobLimits<Row>;
};

type JobLimits<Row extends JobRow> = {
  /** What creations lock, so that they count the running jobs of a tenant one after the other. */
  lock: string;
  /** Maximum number of running jobs of a tenant. */
  perTenant?: number;
  /** At most one job runs for each value of the field. The message replaces the one that names the running job. */
  perSubject?: { field: keyof OwnFields<Row> & string; message?: string };
};

export type PacedRow = JobRow & { maxPerSecond: number };

/** A kind that sweepJob advances. Texts are SQL. */
export type SweptKind<Row extends PacedRow> = JobKind<Row> & {
  /** The column with the id of the last handled item, '' at first. */
  position: string;
  /** The column with the number of items that were moved. */
  progress: string;
  /** Whether job `j` has lost its subject, which cancels it. */
  isSubjectGone?: string;
  /** Does the work of one second: up to `maxPerSecond` items after `position`. */
  step(tx: Tx, job: DueJob<Row>): Promise<JobStep>;
};

export type DueJob<Row extends PacedRow> = Row & { tenantId: string; position: string; now: Date };

export type JobStep = { moved: number; position: string; isDone: boolean };
