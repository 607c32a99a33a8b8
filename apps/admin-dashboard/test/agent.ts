import type { DashboardSystem, Json } from './dashboard.ts';

let agents = 0;

/** An agent of a role of its own that does what a test says, over the API. */
export async function makeAgent({ post }: Pick<DashboardSystem, 'post'>) {
  const role = `worker-${(agents += 1)}`;
  const { id } = await post('/v1/agents', { name: role, role });
  const addTask = (more: object = {}): Promise<Json> =>
    post('/v1/tasks', { title: `Work of ${role}`, description: 'Do it.', assigned_role: role, ...more });
  return {
    id: id as string,
    role,
    addTask,
    /** A task under a lease. */
    async hold(more: object = {}) {
      await addTask(more);
      return this.take();
    },
    /** The next task that there is for the agent, under a lease. */
    async take() {
      const { lease, task } = await post(`/v1/agents/${id}/claims`, { wait_seconds: 20 });
      const act = (verb: string, body: object = {}): Promise<Json> =>
        post(`/v1/leases/${lease.lease_id}/${verb}`, { fencing_token: lease.fencing_token, ...body });
      return { task, act };
    },
  };
}
