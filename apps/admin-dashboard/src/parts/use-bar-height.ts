import { type RefObject, useEffect, useState } from 'react';

const heights = new Map<Element, number>();

/** The lower edge of the window that bars cover: what gets the focus is scrolled above it, and toasts stand above it. */
const tellPage = () =>
  document.documentElement.style.setProperty('--bar-height', `${Math.max(0, ...heights.values())}px`);

/** The height of a bar at the lower edge of the window, in pixels. */
export function useBarHeight(bar: RefObject<HTMLElement | null>): number {
  const [height, setHeight] = useState(0);
  useEffect(() => {
    const element = bar.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => {
      heights.set(element, element.offsetHeight);
      setHeight(element.offsetHeight);
      tellPage();
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      heights.delete(element);
      tellPage();
    };
  }, [bar]);
  return height;
}
