import { AppError, type Logger } from '@eas/core';
import { type HttpDeps, mountRoutes } from '@eas/http';
import type { ChatReceiver } from '@eas/chat';
import type { Receiver } from '@eas/receiving';
import { chatRoutes } from './routes/chat.routes.ts';
import { inboundRoutes } from './routes/inbound.routes.ts';
import { takesUnsigned, type UnsignedPolicy } from './unsigned-policy.ts';

export type ReceiverAppParts = Pick<
  HttpDeps,
  'accessLog' | 'trustProxy' | 'gatewaySecrets' | 'onResponse' | 'onBodyCut' | 'intakeLimits'
> & {
  receiver: Receiver;
  /** Left out: clicks are not received. */
  chat?: ChatReceiver;
  logger: Logger;
  unsigned: UnsignedPolicy;
};

/** The Express app of the receivers: a caller is known by the signature of the body alone. */
export function receiverApp({ receiver, chat, unsigned, ...http }: ReceiverAppParts) {
  const unauthenticated = () => {
    throw new AppError('unauthorized');
  };
  const routes = [
    ...inboundRoutes(receiver, (request) => takesUnsigned(unsigned, request)),
    ...(chat ? chatRoutes(chat) : []),
  ];
  return mountRoutes(routes, { ...http, authenticate: unauthenticated, makeContext: unauthenticated });
}
