import { namesOfRepository } from '@eas/contracts';
import { AppError } from '@eas/core';
import { assertBelowLimit, type DbScope, lockName, lockRow, type Prisma, type Tx } from '@eas/db';
import type { Project } from './project.ts';

/** All that is shown. */
export const projectFields = {
  id: true,
  name: true,
  description: true,
  repositories: true,
  defaults: true,
  maxReworkRounds: true,
  version: true,
  createdAt: true,
  updatedAt: true,
  archivedAt: true,
} as const;

export async function findProject({ db, tenantId }: DbScope, id: string): Promise<Project | undefined> {
  const row = await db.prisma.project.findFirst({ where: { tenantId, id }, select: projectFields });
  return (row ?? undefined) as Project | undefined;
}

/** How often the work on a task of the project is sent back before a person decides. */
export async function findMaxReworkRounds({ db, tenantId }: DbScope, id: string): Promise<number | undefined> {
  const row = await db.prisma.project.findFirst({ where: { tenantId, id }, select: { maxReworkRounds: true } });
  return row?.maxReworkRounds;
}

/** Those of the ids that no project has. */
export async function findUnknownProjects(
  { db, tenantId }: DbScope,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const known = await db.prisma.project.findMany({ where: { tenantId, id: { in: [...ids] } }, select: { id: true } });
  return new Set(ids.filter((id) => !known.some((one) => one.id === id)));
}

/** Locks a project until the transaction ends. */
export async function lockProject(scope: DbScope, id: string): Promise<Project | undefined> {
  await lockRow(scope, 'projects', id);
  return findProject(scope, id);
}

/** Throws conflict `limit` when the tenant has `max` projects already that are not archived. */
export const assertBelowProjectLimit = (tx: Tx, max: number): Promise<void> =>
  assertBelowLimit(tx, 'projects', max, () =>
    tx.db.prisma.project.count({ where: { tenantId: tx.tenantId, archivedAt: null } }),
  );

/** Throws conflict `exists`. The name stays free until the transaction ends. */
export async function assertNameIsFree(tx: Tx, { id, name }: Pick<Project, 'id' | 'name'>): Promise<void> {
  await lockName(tx, 'names of projects');
  const where = { tenantId: tx.tenantId, name, archivedAt: null, NOT: { id } };
  if ((await tx.db.prisma.project.count({ where })) === 0) return;
  throw new AppError('conflict', {
    field: 'name',
    constraint: 'exists',
    message: 'name is already the name of another project that is not archived. Choose another name.',
  });
}

/** Inserts a project whose name is free, with the names of its repositories. */
export async function insertProject(tx: Tx, project: Project): Promise<void> {
  await tx.db.prisma.project.create({ data: { ...dataOf(project), tenantId: tx.tenantId } });
  await insertNames(tx, project);
}

/** Writes a locked project back. */
export async function updateProject(tx: Tx, project: Project): Promise<void> {
  const { db, tenantId } = tx;
  const { id } = project;
  await db.prisma.project.update({ where: { tenantId_id: { tenantId, id } }, data: dataOf(project) });
  await db.prisma.projectRepository.deleteMany({ where: { tenantId, projectId: id } });
  await insertNames(tx, project);
}

async function insertNames({ db, tenantId }: Tx, { id, repositories }: Project): Promise<void> {
  const names = new Set(repositories.flatMap(({ url }) => namesOfRepository(url)));
  const data = [...names].map((name) => ({ tenantId, name, projectId: id }));
  if (data.length > 0) await db.prisma.projectRepository.createMany({ data });
}

// Keys of both are those of the contract: none that Prisma's client would change.
const dataOf = ({ repositories, defaults, ...project }: Project) => ({
  ...project,
  repositories: repositories as unknown as Prisma.InputJsonArray,
  defaults: defaults as Prisma.InputJsonObject,
});
