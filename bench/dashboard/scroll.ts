/** `frames`: ms between two frames, one after the other. */
export type Scrolled = { frames: number[]; lastRow: number };

/** For the page: scrolls its table by a screen every fifth of a second; rows are read as they are reached. */
export const scrollScript = (seconds: number): string => `(async () => {
  const list = document.querySelector('[role=table]');
  const frames = [];
  const endsAt = performance.now() + ${seconds * 1_000};
  for (let at = await new Promise(requestAnimationFrame), next = at; at < endsAt; ) {
    const now = await new Promise(requestAnimationFrame);
    frames.push(now - at);
    at = now;
    if (now > next) {
      list.scrollBy(0, list.clientHeight);
      next = now + 200;
    }
  }
  const rows = [...list.querySelectorAll('[aria-rowindex]')].map((row) => Number(row.getAttribute('aria-rowindex')));
  return { frames, lastRow: Math.max(...rows) };
})()`;
