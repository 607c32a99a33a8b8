import type { DashboardSystem, Json } from './dashboard.ts';

let agents = 0;

/** An agent with a role of its own, which acts over the API as a test says. */
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
     * A task under a lease. While its own task is locked by a planner, the agent may get one without a role that other
     * tests left: it gives that back, and does not get it again.
     */
    async hold(more: { project?: string; [field: string]: unknown } = {}) {
      const added = await addTask(more);
      for (;;) {
        const held = await this.take(more.project === undefined ? {} : { projects: [more.project] });
        if (held.task.id === added.id) return held;
        await held.act('release', { reason: 'It is not mine.' });
      }
    },
    /** The next task for the agent, under a lease. */
    async take(only: { projects?: string[] } = {}) {
      // Long enough for slow machines, where tasks may also be planned late.
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
