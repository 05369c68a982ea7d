export { createFeedReader, type FeedReaderOptions } from "./adapters/feed-reader.ts";
export { checkSnapshotFile, exportToFile, importFromFile } from "./adapters/snapshot-file.ts";
export { type ChosenFeed, chooseFeeds, type FeedChoice, type FeedPlugins, feedNames } from "./choose-feeds.ts";
export type { DiffRefs, OperationQuery, UpdateOperationJson, VulnerabilityDiff } from "./diff-refs.ts";
export { enrichmentsOf, factsOf, type MatchManifestOptions, matchManifest } from "./match-manifest.ts";
export { type BatchItem, createMatchService, type MatchService, type MatchServiceOptions } from "./match-service.ts";
export { neededEcosystems } from "./needed-ecosystems.ts";
export type { IndexReports } from "./ports.ts";
export type { Published } from "./publish.ts";
export { type ExportOptions, exportDatabase } from "./snapshot/export-database.ts";
export { type ImportEvent, type ImportOptions, type ImportResult, importDatabase } from "./snapshot/import-database.ts";
export type { SnapshotCompression } from "./snapshot/lines.ts";
export { type AdvisoriesOptions, advisoriesOf } from "./store/advisories.ts";
export { findAliases } from "./store/aliases.ts";
export { collectGarbage, type GarbageOptions, type GarbageResult } from "./store/collect-garbage.ts";
export { deleteOperation } from "./store/delete-operation.ts";
export { findEnrichments } from "./store/enrichments.ts";
export { type FailedUpdate, listFailedUpdates } from "./store/failed-updates.ts";
export { type FeedAccount, isEmptyOfUse, type SkippedRecords } from "./store/feed-account.ts";
export { type DroppedRecords, type FeedProblem, type FeedStatus, listFeeds, problemText } from "./store/feed-status.ts";
export type { MergeCounts } from "./store/merge.ts";
export { matcherMigrations } from "./store/migrations/all.ts";
export { findNamedAdvisories, type NamedAdvisories } from "./store/named-advisories.ts";
export type { MatcherStore, MatcherTables, UpdateKind } from "./store/tables.ts";
export { type AdvisorySet, diffOperations, type UpdateDiff } from "./store/update-diff.ts";
export { latestOperations, listOperations, type UpdateOperation } from "./store/update-operations.ts";
export {
  type FeedOwner,
  type OpenFeedReader,
  type UpdatedResult,
  type UpdateEvent,
  type UpdateFeedsOptions,
  type UpdateResult,
  updateFeeds,
} from "./update-feeds.ts";
export {
  collectAllGarbage,
  createFeedUpdates,
  type FeedUpdates,
  type FeedUpdatesOptions,
  type RoundResult,
  type UpdateRoundOptions,
  updateRound,
} from "./update-job.ts";
