export { getPerformance } from './get-performance.ts';
export { recordFacts } from './record-facts.ts';
export { type DayRollup, readRollups, recount } from './recount.read-model.ts';
