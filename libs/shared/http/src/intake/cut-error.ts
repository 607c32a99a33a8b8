import { AppError } from '@eas/core';

/** Why a body was not read to its end: too slow, or too many bodies of its sender or of the process. */
export type CutReason = 'slow' | 'address' | 'process';

export type OnCut = (why: AppError) => void;

/** The response to the sender of a cut body. It closes the connection. */
export function cutError(reason: CutReason): AppError {
  switch (reason) {
    case 'slow':
      return new AppError('invalid_request', {
        status: 408,
        message: 'The request body arrived too slowly.',
        headers: { Connection: 'close' },
      });
    case 'address':
      return new AppError('rate_limited', {
        message: 'Your address has too many unfinished requests. Wait until some of them end.',
        headers: { Connection: 'close', 'Retry-After': '1' },
      });
    case 'process':
      return new AppError('server_error', {
        status: 503,
        message: 'The service has too many unfinished requests. Try again later.',
        headers: { Connection: 'close', 'Retry-After': '1' },
      });
  }
}
