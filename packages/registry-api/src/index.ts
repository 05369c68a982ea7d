export { type AwsEnvironment, awsCredentials } from "./adapters/blob-stores/aws-credentials.ts";
export { createFileBlobStore, type FileBlobStoreOptions } from "./adapters/blob-stores/file-blob-store.ts";
export { createS3BlobStore, type S3BlobStoreOptions, type S3Keys } from "./adapters/blob-stores/s3-blob-store.ts";
export type { S3Location, S3Place } from "./adapters/blob-stores/s3-client.ts";
export {
  rememberCredentials,
  type S3CredentialSource,
  type S3Credentials,
} from "./adapters/blob-stores/s3-credentials.ts";
export { findGit, type GitOptions } from "./adapters/git/git-archives.ts";
export type { BuildLimits, BuildNetwork } from "./adapters/image-builder/build-limits.ts";
export { type BuildahOptions, findBuildah } from "./adapters/image-builder/buildah-builder.ts";
export type { ContextLimits } from "./adapters/image-builder/unpack-context.ts";
export type { LdapConnection } from "./adapters/ldap/ldap-connection.ts";
export { type LdapOptions, ldapDirectory } from "./adapters/ldap/ldap-directory.ts";
export type { LdapSignIn } from "./adapters/ldap/ldap-users.ts";
export type { Ask } from "./adapters/oidc/bounded-fetch.ts";
export type { IssuersOptions } from "./adapters/oidc/issuers.ts";
export type { OidcClaimRules } from "./adapters/oidc/oidc-claims.ts";
export { type OidcOptions, oidcProvider } from "./adapters/oidc/oidc-provider.ts";
export { readSecretKey } from "./adapters/secret-key.ts";
export { openSmtpMailer, type SmtpOptions } from "./adapters/smtp-mailer.ts";
export { collectGarbage } from "./collection/collect-garbage.ts";
export type { Collected } from "./collection/collected.ts";
export type { CollectionOptions } from "./collection/collection-options.ts";
export { type PlanLimits, type PlanOptions, planCollection } from "./collection/plan-collection.ts";
export { type RegistryFigures, readRegistryFigures, type StoredBlobs } from "./collection/queries/registry-figures.ts";
export { holdBlobs } from "./content/held-blobs.ts";
export type { PasswordCost } from "./crypto/passwords.ts";
export { deriveKey } from "./crypto/secrets.ts";
export type { RawResponse, RefusalBody, RefuseMalformedUrl, RefuseUnavailable } from "./distribution/malformed-urls.ts";
export type { LayerObserver } from "./distribution/observe-layers.ts";
export type { ReadableUpload } from "./distribution/pushed-layer.ts";
export {
  invalidRequest,
  RegistryError,
  type RegistryErrorCode,
  type RegistryErrorOptions,
  registryErrorCodes,
} from "./errors.ts";
export type { BesideRegistry } from "./http/served-registry.ts";
export { kindsWithRows } from "./kinds-with-rows.ts";
export type { KeptMosts, KeptName } from "./limits/kept-limits.ts";
export { nestedNetworks } from "./limits/nested-networks.ts";
export { readArchivedLog } from "./logs/archive-log.ts";
export type { CopiedTags } from "./mirrors/copy-tags.ts";
export { type ImportedTags, type OperatedAnswer, type OperatedRegistry, operateRegistry } from "./operate-registry.ts";
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
export type {
  BegunSignIn,
  Directory,
  DirectoryUser,
  FederatedTokens,
  FoundUser,
  IdentityProvider,
  OutsideProfile,
  OutsideRole,
  OutsideUser,
  ProviderLogout,
  ProviderSession,
} from "./ports/identities.ts";
export type { AnswerOptions, ImageQuestion, LargeImages } from "./ports/large-images.ts";
export type {
  FailedFeedUpdate,
  FeedRecords,
  FindOptions,
  ImageFeed,
  ImageScanner,
  LoadedFeed,
  ReportFormat,
  ReportWriter,
  ScannableImage,
  ScannerFeeds,
  ScanOutcome,
  SkippedFeedRecords,
} from "./ports/scanning.ts";
export type { SettingInForce } from "./ports/settings-in-force.ts";
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
export type { Clock, Mail, Mailer, OutgoingGuard, Ports } from "./ports.ts";
export { type AnswerContext, answerImageQuestion } from "./pull-gate/answer-image-question.ts";
export { createRegistry, type OpenedRegistry, type RegistryOptions } from "./registry.ts";
export type { ChangedFinding, ImageChange, ImageWatch } from "./security/image-watch.ts";
export type { FindingCause } from "./security/new-vulnerabilities.ts";
export {
  defaultRegistrySettings,
  type Features,
  type GivenRegistrySettings,
  type RegistrySettings,
} from "./settings.ts";
export { parseSigningKey, signingKeyForm } from "./signatures/signing-keys.ts";
export { type CopyBlobsOptions, copyBlobs } from "./storage/copy-blobs.ts";
export type { DamagedBlob } from "./storage/damaged-blobs.ts";
export { guardFolder } from "./storage/guard-folder.ts";
export type { BlobProblem, StoredBlob } from "./storage/linked-blobs.ts";
export { type VerifyBlobsOptions, verifyBlobs } from "./storage/verify-blobs.ts";
export { registryMigrations } from "./store/migrations/all.ts";
export type { RegistryStore, RegistryTables } from "./store/tables/all.ts";
export { createOperatorUser, type OperatorContext, resetOperatorPassword } from "./users/operator-users.ts";
export { SerializedJson } from "./values/serialized-json.ts";
