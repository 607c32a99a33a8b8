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
    /**
     * A task under a lease. Where other tests leave tasks without a role, the agent gets one of those while its own is
     * locked by a planner: it gives that back, and does not get it again.
     */
    async hold(more: { project?: string; [field: string]: unknown } = {}) {
      const added = await addTask(more);
      for (;;) {
        const held = await this.take(more.project === undefined ? {} : { projects: [more.project] });
        if (held.task.id === added.id) return held;
        await held.act('release', { reason: 'It is not mine.' });
      }
    },
    /** The next task that there is for the agent, under a lease. */
    async take(only: { projects?: string[] } = {}) {
      // The lease lasts as long as a page may be looked at on a busy machine, where a task may also be planned late.
      const body = { wait_seconds: 20, lease_seconds: 1_800, ...only };
      let claimed: Json;
      while (claimed === undefined) claimed = await post(`/v1/agents/${id}/claims`, body);
      const { lease, task } = claimed;
      const act = (verb: string, body: object = {}): Promise<Json> =>
        post(`/v1/leases/${lease.lease_id}/${verb}`, { fencing_token: lease.fencing_token, ...body });
      return { task, act };
    },
  };
}
