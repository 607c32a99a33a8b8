import { Toast } from '@base-ui/react/toast';
import { asProblem } from '../api/problem.ts';
import { Button } from './button.tsx';
import { HeldControls, heldIdOf, useHeldToasts } from './held-toasts.tsx';
import styles from './parts.module.css';

const manager = Toast.createToastManager();

/** Reports a success. */
export const say = (title: string): void => void manager.add({ title, priority: 'low' });

/** Reports a failure with its reason; stays until it is closed. */
export function sayProblem(title: string, error: unknown): void {
  const { message, requestId } = asProblem(error);
  const description = requestId ? `${message} Request ${requestId}` : message;
  manager.add({ title, description, priority: 'high', timeout: 0 });
}

/** No limit: each toast may be a decision that can be undone. */
const noLimit = 1_000;

export function Toasts() {
  useHeldToasts(manager);
  return (
    <Toast.Provider toastManager={manager} limit={noLimit}>
      <Toast.Portal>
        <Toast.Viewport className={styles['toasts']}>
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function ToastList() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => {
    const heldId = heldIdOf(toast);
    return (
      <Toast.Root key={toast.id} toast={toast} className={styles['toast']}>
        <Toast.Title render={<strong />} />
        <Toast.Description />
        {heldId ? <HeldControls id={heldId} /> : <Toast.Close render={<Button look="plain">Close</Button>} />}
      </Toast.Root>
    );
  });
}
