export type { ChatRefusal } from './clicks/chat-request-signature.ts';
export {
  admitChatRequest,
  type ChatReceiver,
  createChatReceiver,
  receiveChatRequest,
} from './clicks/receive-chat-request.ts';
export { sealedChatMessages } from './messages/chat-message.store.ts';
export { followQuestions } from './messages/follow-questions.ts';
export { listChatMessages } from './messages/list-chat-messages.ts';
export { queueChatMessages } from './messages/queue-chat-messages.ts';
export { expireChatMessages, removeOldChatMessages, removeOldClicks } from './posting/chat-channel.sweeper.ts';
export { createChatPoster } from './posting/chat-poster.ts';
export { type ChatPosting, postNext } from './posting/post-next.ts';
export { type ChatTesting, createChatTesting } from './posting/test-chat.ts';
