import { type RefObject, useEffect, useState } from 'react';

const heights = new Map<Element, number>();

/** The bottom of the window that bars cover: a focused element is scrolled above it, and toasts are shown above it. */
const updatePage = () =>
  document.documentElement.style.setProperty('--bar-height', `${Math.max(0, ...heights.values())}px`);

/** The height of a bar at the bottom of the window, in pixels. */
export function useBarHeight(bar: RefObject<HTMLElement | null>): number {
  const [height, setHeight] = useState(0);
  useEffect(() => {
    const element = bar.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => {
      heights.set(element, element.offsetHeight);
      setHeight(element.offsetHeight);
      updatePage();
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      heights.delete(element);
      updatePage();
    };
  }, [bar]);
  return height;
}
