export { holdBlobs } from "@plimsoll/registry/content/held-blobs";
export { parseSigningKey, signingKeyForm } from "@plimsoll/registry/content/signatures/signing-keys";
export {
  type CopyBlobsOptions,
  copyBlobs,
  type VerifyBlobsOptions,
  verifyBlobs,
} from "@plimsoll/registry/content/storage/copy-blobs";
export type { DamagedBlob } from "@plimsoll/registry/content/storage/damaged-blobs";
export { guardFolder } from "@plimsoll/registry/content/storage/guard-folder";
export type { BlobProblem, StoredBlob } from "@plimsoll/registry/content/storage/linked-blobs";
export {
  createOperatorUser,
  type OperatorDeps,
  resetOperatorPassword,
} from "@plimsoll/registry/identity/users/operator-users";
export { kindsWithRows } from "@plimsoll/registry/jobs";
export { collectGarbage } from "@plimsoll/registry/lifecycle/collection/collect-garbage";
export type { Collected, CollectionOptions } from "@plimsoll/registry/lifecycle/collection/collection";
export {
  type PlanLimits,
  type PlanOptions,
  planCollection,
} from "@plimsoll/registry/lifecycle/collection/plan-collection";
export {
  type RegistryFigures,
  readRegistryFigures,
  type StoredBlobs,
} from "@plimsoll/registry/lifecycle/collection/queries/garbage";
export { readArchivedLog } from "@plimsoll/registry/logs/archive-log";
export type { LayerObserver } from "@plimsoll/registry/push/observe-layers";
export type { ReadableUpload } from "@plimsoll/registry/push/pushed-layer";
export type { ChangedFinding, ImageChange, ImageWatch } from "@plimsoll/registry/security/image-watch";
export type { FindingCause } from "@plimsoll/registry/security/new-vulnerabilities";
export type { CopiedTags } from "@plimsoll/registry/sources/mirrors/copy-tags";
export type { RawResponse, RefusalBody, RefuseMalformedUrl, RefuseUnavailable } from "./distribution/malformed-urls.ts";
export type { BesideRegistry } from "./http/served-registry.ts";
export { type ImportedTags, type OperatedAnswer, type OperatedRegistry, operateRegistry } from "./operate-registry.ts";
export { createRegistry, type OpenedRegistry, type RegistryOptions } from "./registry.ts";
export { type AnswerDeps, answerImageQuestion } from "./security/pull-gate/answer-image-question.ts";
