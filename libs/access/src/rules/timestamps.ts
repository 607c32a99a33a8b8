import { formatTimestamp } from '@eas/core';

export const formatOptional = (date: Date | null): string | null => (date === null ? null : formatTimestamp(date));
