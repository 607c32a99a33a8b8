import { formatTimestamp } from '@eas/core';

/** A moment that may be unset, as answers show it. */
export const formatOptional = (date: Date | null): string | null => (date === null ? null : formatTimestamp(date));
