import type { StoredEvent } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { insertEdits } from './chat-message.store.ts';

/**
 * Consumer `chat.question`: posted questions are to show their result, by any person in any place, or why they wait
 * no longer. In a transaction.
 */
export async function followQuestions(ctx: UseCaseContext, events: readonly StoredEvent[]): Promise<void> {
  const over = events.flatMap((event) => (isOver(event) ? [event.data.input_id] : []));
  for (const inputId of [...new Set(over)].sort()) await insertEdits(ctx, { inputId });
}

const isOver = (event: StoredEvent): event is StoredEvent<'task.answered' | 'input.cancelled'> =>
  event.type === 'task.answered' || event.type === 'input.cancelled';
