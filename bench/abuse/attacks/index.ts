import type { Attack } from './attack.ts';
import { deepReads } from './deep-reads.ts';
import { forgedBodies, oversizeBodies, slowSenders, smuggling } from './bodies.ts';
import { fatReceipts, manyIntegrations, manyTags } from './inbound.ts';
import { evilResultSchemas, greedyTenant, longHistory, widePages, wrongKeys } from './rest.ts';
import { manyClaims, manyStreams, tarpits } from './waiting.ts';
import { wideRuns } from './wide-runs.ts';

export const attacks: readonly Attack[] = [
  longHistory,
  widePages,
  evilResultSchemas,
  greedyTenant,
  wrongKeys,
  oversizeBodies,
  forgedBodies,
  slowSenders,
  smuggling,
  manyTags,
  fatReceipts,
  manyIntegrations,
  manyStreams,
  manyClaims,
  tarpits,
  deepReads,
  wideRuns,
];
