import { claimedProject, type ClaimedProject, claimResult } from '@eas/contracts';
import { z } from 'zod';
import { order } from '../lease/inbox.ts';
import { TaskFailure } from '../task-failure.ts';

/** A claim as the runner reads it: what other versions of the service say goes to the command as it came. */
export const claim = claimResult.extend({
  task: z.looseObject({ id: z.string(), title: z.string() }),
  context: z.looseObject({
    attempt: z.number(),
    failures: z.number(),
    lost_leases: z.number(),
    answers: z.array(z.unknown()).max(1_000),
    artifacts: z.array(z.looseObject({ kind: z.string(), title: z.string().nullable() })).max(1_000),
    contract: z
      .looseObject({
        artifacts: z.array(z.string()).max(100).optional(),
        review: z.unknown().optional(),
        result_schema: z.record(z.string(), z.unknown()).optional(),
      })
      .nullable(),
    parent: z.looseObject({ task_id: z.string() }).nullish(),
    project: z.unknown().optional(),
  }),
  directives: z.array(order).max(1_000),
});
export type Claim = z.output<typeof claim>;
type Context = Claim['context'];

/** The project of a task; undefined for one without repositories to work on. */
export function projectOf({ project }: Pick<Context, 'project'>): ClaimedProject | undefined {
  if (project === null || project === undefined) return undefined;
  const read = claimedProject.safeParse(project);
  if (!read.success) throw new TaskFailure('The project of the task is in a form that this runner cannot read.', false);
  return read.data.repositories.length > 0 ? read.data : undefined;
}

const codeKinds = ['pull_request', 'commit', 'branch', 'diff'];

/** A task with a project asks for code, unless its acceptance rules ask for other things, or it is a review. */
export function isCodeAsked({ contract, parent }: Pick<Context, 'contract' | 'parent'>): boolean {
  if (parent !== null && parent !== undefined) return false;
  const { artifacts } = contract ?? {};
  return artifacts === undefined || artifacts.some((kind) => codeKinds.includes(kind));
}

/** Kinds of artifacts that the acceptance rules require, and that neither attempts before nor this one have attached. */
export function missingKinds(
  { contract, artifacts }: Pick<Context, 'contract' | 'artifacts'>,
  attached: readonly string[],
) {
  const known = new Set([...artifacts.map(({ kind }) => kind), ...attached]);
  return (contract?.artifacts ?? []).filter((kind) => !known.has(kind));
}
