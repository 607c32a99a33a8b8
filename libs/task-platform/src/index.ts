export { createPlatformApi, type OpenPlatform, type PlatformClient } from './api/platform-client.ts';
export type { PlatformTask, PlatformTaskPage } from './api/platform-task.ts';
export { readApiTask } from './changes/api-task.ts';
export {
  type CommentCopy,
  type CommentPlan,
  planComments,
  toCommentCopy,
  toObjectCopy,
} from './changes/comment-copy.ts';
export type { CommentRank } from './changes/platform-comment.ts';
export { checkShape, platformKindOf, readPlatformEvent } from './changes/platform-event.ts';
export {
  type ObjectKey,
  type ObjectKind,
  type ObjectOf,
  type PlaceKind,
  type PlatformObject,
  readPlatformObjects,
  savePlatformObjects,
} from './changes/platform-object.store.ts';
export { sweepOldTombstones } from './changes/platform-object.sweeper.ts';
export { mergeObject, readReportedObject, type ReportedObject } from './changes/platform-object.ts';
export { targetOf } from './changes/platform-user.ts';
export { cutText, readMillis, readTags, readText } from './changes/platform-value.ts';
export { tooManyChanges } from './changes/receipt-limits.ts';
export { statusMeaning } from './changes/status-meaning.ts';
export { readReportedTask, type ReportedTask, type TaskChange } from './changes/task-change.ts';
export { rememberStatusType, statusTypeOf } from './changes/task-details.ts';
export { lockPlatformThings, readTaskLinks, saveTaskLinks } from './changes/task-link.store.ts';
export {
  type CommentChange,
  emptyMemory,
  isEmptyPatch,
  mergeReported,
  type PlatformRules,
  type TaskLink,
  type TaskPatch,
} from './changes/task-link.ts';
export { cancelReconcile } from './reconciles/cancel-reconcile.ts';
export { createReconcile } from './reconciles/create-reconcile.ts';
export { getReconcile } from './reconciles/get-reconcile.ts';
export { type ListedTask, maxPages, nextPage } from './reconciles/next-page.ts';
export { moveReconcile } from './reconciles/reconcile.store.ts';
export { sweepOldReconciles } from './reconciles/reconcile.sweeper.ts';
export { type Reconcile, reconcileKind } from './reconciles/reconcile.ts';
export { answerByReplies } from './reporting/answer-by-replies.ts';
export { reportToPlatform } from './reporting/report-to-platform.ts';
export { taskPlatformSource } from './task-platform-source.ts';
