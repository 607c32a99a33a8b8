import { api, read } from '../api/client.ts';
import { useOnce } from '../api/use-once.ts';
import { useChange } from '../resources/use-change.ts';

/** Sends a message that the agent of the task gets with its next call. */
export function useMessage(taskId: string, content: string, onDone: () => void) {
  const once = useOnce();
  const path = { task_id: taskId };
  return useChange({
    resource: 'tasks',
    send: () =>
      once((header) => read(api.POST('/v1/tasks/{task_id}/messages', { params: { path, header }, body: { content } }))),
    done: 'Message sent',
    onDone,
  });
}
