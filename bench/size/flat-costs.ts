/** Of the rows or pages that a statement reads next to little data. */
export const flatRatio = 1.2;
/** An index with a level more, or a page of it, is not growth. */
const slack = 10;

/** Most rows or pages that a statement may read next to much data if its costs do not grow with it. */
export const mostOfFlat = (least: number): number => Math.max(least * flatRatio, least + slack);
