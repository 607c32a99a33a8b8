import type { ChatMessageView, Page, PageOfItems } from '@eas/contracts';
import type { UseCaseContext } from '@eas/db';
import { getIntegration } from '@eas/integrations';
import { chatMessageResource } from './chat-message.ts';
import { type ChatMessageFilter, pageChatMessages } from './chat-message.read-model.ts';

/** What was posted to a chat workspace, or waits for it. Throws not_found for an unknown integration. */
export async function listChatMessages(
  ctx: UseCaseContext,
  { id, filter }: { id: string; filter: ChatMessageFilter },
  page: Page,
): Promise<PageOfItems<ChatMessageView>> {
  await getIntegration(ctx, id);
  const { items, ...position } = await pageChatMessages(ctx, id, filter, page);
  return { ...position, items: items.map(chatMessageResource) };
}
