export type { ChatRefusal } from './clicks/chat-request-signature.ts';
export {
  admitChatRequest,
  type ChatReceiver,
  createChatReceiver,
  receiveChatRequest,
} from './clicks/receive-chat-request.ts';
export { removeOldClicks } from './clicks/chat-click.sweeper.ts';
export { maxAgeHours as maxChatAgeHours } from './messages/chat-message.ts';
export { sealedChatMessages } from './messages/chat-message.store.ts';
export { chatMessages } from './messages/chat-tables.ts';
export { followQuestions } from './messages/follow-questions.ts';
export { listChatMessages } from './messages/list-chat-messages.ts';
export { queueChatMessages } from './messages/queue-chat-messages.ts';
export { chatKind } from './posting/chat-kind.ts';
export type { ChatPosting } from './posting/post-message.ts';
export { type ChatTesting, createChatTesting } from './posting/test-chat.ts';
