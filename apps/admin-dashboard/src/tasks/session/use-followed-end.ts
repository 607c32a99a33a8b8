import { type RefObject, useLayoutEffect, useRef } from 'react';

/** Pixels from the end within which a person counts as being there. */
const nearPx = 40;

/** Keeps a growing list scrolled to its end, unless a person has scrolled away. */
export function useFollowedEnd<E extends HTMLElement>(content: unknown): RefObject<E | null> {
  const list = useRef<E>(null);
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return undefined;
    const check = () => {
      isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < nearPx;
    };
    element.addEventListener('scroll', check, { passive: true });
    return () => element.removeEventListener('scroll', check);
  }, []);
  useLayoutEffect(() => {
    if (isAtEnd.current) list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [content]);
  return list;
}
