import { AppError } from '@eas/core';

/** Who may have how many streams open in this process. */
export type StreamLimits = { perCredential: number; perProcess: number };

/** Counts the streams that are open. */
export type StreamPlaces = {
  /** Takes a place; throws rate_limited when there is none. Gives what lets it go again. */
  take(credentialId: string): () => void;
};

export function createStreamPlaces({ perCredential, perProcess }: StreamLimits): StreamPlaces {
  const taken = new Map<string, number>();
  let total = 0;
  return {
    take(credentialId) {
      const own = taken.get(credentialId) ?? 0;
      if (own >= perCredential) throw noPlace(`A credential has at most ${perCredential} streams open at a time.`);
      if (total >= perProcess) throw noPlace('Too many streams are open; try again later.');
      taken.set(credentialId, own + 1);
      total += 1;
      return () => {
        total -= 1;
        const left = (taken.get(credentialId) ?? 1) - 1;
        if (left > 0) taken.set(credentialId, left);
        else taken.delete(credentialId);
      };
    },
  };
}

const noPlace = (message: string) => new AppError('rate_limited', { message, headers: { 'Retry-After': '10' } });
