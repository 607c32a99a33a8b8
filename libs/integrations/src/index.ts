export { changeIntegration } from './change-integration.ts';
export { degrade, heal, recordError, resumeChannels, stopChannels } from './chat-channel.store.ts';
export { createIntegration } from './create-integration.ts';
export { deleteIntegration } from './delete-integration.ts';
export { getIntegration } from './get-integration.ts';
export { inboundPath } from './inbound-path.ts';
export { noIntegration } from './integration-errors.ts';
export {
  type ResultMark,
  saveCallMark,
  saveResults,
  saveSightings,
  type Sighting,
} from './integration-health.store.ts';
export { openSecret, sealedIntegrations, secretCell } from './integration-secret.ts';
export {
  findChatSecrets,
  findIntegration,
  findIntegrationNames,
  findSealedSecret,
  type InboundRules,
  noRules,
  readInboundRules,
} from './integration.read-model.ts';
export { lockIntegration } from './integration.store.ts';
export { isListed } from './is-listed.ts';
export { listIntegrations } from './list-integrations.ts';
export { rotateIntegration } from './rotate-integration.ts';
export { sweepSilence } from './silence.sweeper.ts';
export type { VetUrl } from './url-rules.ts';
