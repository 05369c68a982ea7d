export type { PasswordCost } from "./crypto/passwords.ts";
export { deriveKey } from "./crypto/secrets.ts";
export {
  invalidRequest,
  RegistryError,
  type RegistryErrorCode,
  type RegistryErrorOptions,
  registryErrorCodes,
} from "./errors.ts";
export { nestedNetworks } from "./limits/address-limit.ts";
export type { KeptMosts, KeptName } from "./limits/kept-limits.ts";
export {
  type AppendOptions,
  type BlobStore,
  BlobStoreError,
  type BlobStoreErrorCode,
  type ByteRange,
  type ReadOptions,
} from "./ports/blob-store.ts";
export {
  type BaseImages,
  BuildError,
  type BuilderCredentials,
  type BuildOrder,
  type BuildProgress,
  type GitArchives,
  type ImageBuilder,
  type OwnRegistry,
} from "./ports/building.ts";
export {
  type BegunSignIn,
  type Directory,
  type DirectoryUser,
  type FederatedTokens,
  type FoundUser,
  forTeamsOnly,
  type IdentityProvider,
  type OutsideProfile,
  type OutsideRole,
  type OutsideUser,
  type ProviderLogout,
  type ProviderSession,
} from "./ports/identities.ts";
export type { AnswerOptions, ImageQuestion, LargeImages } from "./ports/large-images.ts";
export {
  basicScanner,
  type FailedFeedUpdate,
  type FeedRecords,
  type FindOptions,
  type FoundImages,
  type ImageBill,
  type ImageFeed,
  type ImageScanner,
  type ImagesQuestion,
  type InventoryOutcome,
  type LoadedFeed,
  noImageScanner,
  type ReportFormat,
  type ReportWriter,
  type ScannableImage,
  type ScannerFeeds,
  type ScanOutcome,
  type SkippedFeedRecords,
} from "./ports/scanning.ts";
export {
  type ObjectFailureDetails,
  type UpstreamAddress,
  type UpstreamCatalog,
  UpstreamLimited,
  type UpstreamManifest,
  UpstreamObjectFailed,
  type UpstreamReferrer,
  type UpstreamRepository,
  type Upstreams,
} from "./ports/upstreams.ts";
export { wrapPort } from "./ports/wrap-port.ts";
export type {
  Clock,
  LoginAddress,
  Mail,
  Mailer,
  OutgoingDocument,
  OutgoingEvent,
  OutgoingGuard,
  Ports,
  Receipt,
  SettingInForce,
} from "./ports.ts";
export {
  defaultRegistrySettings,
  type Features,
  type GivenRegistrySettings,
  type RegistryCompatibility,
  type RegistrySettings,
} from "./settings.ts";
export { registryMigrations } from "./store/migrations/all.ts";
export type { RegistryStore, RegistryTables } from "./store/tables/all.ts";
export { SerializedJson } from "./values/serialized-json.ts";
