import { useQueryClient } from '@tanstack/react-query';
import { writeDraft } from '../../api/drafts.ts';
import { heldCalls } from '../../api/held-calls.ts';
import { currentUserId } from '../../api/session.ts';
import type { Resource } from '../../live/stale-after.ts';
import { say, sayProblem } from '../../parts/toasts.tsx';
import { readAgain } from '../../live/read-again.ts';

export type DecisionOptions = {
  /** The task or input: at most one decision about it is held at a time. */
  id: string;
  /** Its label while the decision can be undone. */
  name: string;
  /** The key of its draft. */
  draft: string;
  onHeld: () => void;
  onUndone: () => void;
};

const decided: readonly Resource[] = ['inputs', 'reviews', 'tasks', 'runs'];

/** Browsers send at most 64 KiB with requests that outlive their page. */
const maxKeepaliveBytes = 60_000;
const sizeOf = (body: unknown): number => new Blob([JSON.stringify(body)]).size;

/**
 * Decides about what is shown: the call is built now, and sent when it can no longer be undone. The draft is kept until
 * the decision is accepted, and the waiting items are reloaded whatever the result.
 */
export function useDecision({ id, name, draft, onHeld, onUndone }: DecisionOptions) {
  const client = useQueryClient();
  return <Body>(
    done: string,
    body: Body,
    post: (call: { body: Body; keepalive: boolean }) => Promise<unknown>,
  ): void => {
    const userId = currentUserId();
    const send = async (isLeaving: boolean) => {
      try {
        await post({ body, keepalive: isLeaving && sizeOf(body) <= maxKeepaliveBytes });
        writeDraft(userId, draft, '');
        return true;
      } catch (error) {
        sayProblem(`Not sent: ${name}`, error);
        return false;
      } finally {
        await readAgain(client, decided);
      }
    };
    const undone = () => {
      say(`Undone: ${name}`);
      onUndone();
    };
    heldCalls.hold({ id, title: `${done}: ${name}`, send, onUndone: undone });
    onHeld();
  };
}
