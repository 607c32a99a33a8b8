import { type RefObject, useLayoutEffect, useRef } from 'react';

/** Distance to the end at which a person still counts as being there, in pixels. */
const nearPx = 40;

/** Keeps a list that scrolls at its end while it grows, unless a person has scrolled away from there. */
export function useFollowedEnd<E extends HTMLElement>(content: unknown): RefObject<E | null> {
  const list = useRef<E>(null);
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return undefined;
    const look = () => {
      isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < nearPx;
    };
    element.addEventListener('scroll', look, { passive: true });
    return () => element.removeEventListener('scroll', look);
  }, []);
  useLayoutEffect(() => {
    if (isAtEnd.current) list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [content]);
  return list;
}
