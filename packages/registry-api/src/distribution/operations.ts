import {
  onChange,
  onListReferrers,
  onPull,
  onPullBlob,
  onPullManifest,
  onPush,
  onUpload,
  withCredentials,
} from "./access.ts";
import { deleteBlob, getBlobContent, headBlob } from "./blobs.ts";
import { type Endpoint, sendJson } from "./distribution.ts";
import { getImageReport } from "./image-report.ts";
import { listCatalog, listTags, PageQuery } from "./lists.ts";
import { deleteManifest, getManifest, headManifest } from "./manifests.ts";
import { by, type DistributionOperation, operation } from "./operation.ts";
import { putManifestContent, TagsQuery } from "./push-manifest.ts";
import { listReferrers, ReferrersQuery } from "./referrers.ts";
import {
  cancelUpload,
  completeUpload,
  continueUpload,
  DigestQuery,
  getUpload,
  StartQuery,
  startUpload,
} from "./uploads.ts";

const ping: Endpoint<object, undefined> = async (_distribution, { response }) => sendJson(response, {});

const root = { path: "/", access: withCredentials(), success: 200, handle: by(ping) } as const;
const manifest = { path: "/{name}/manifests/{reference}", hasVersion: true } as const;
const blob = { path: "/{name}/blobs/{digest}", hasVersion: true } as const;
const upload = { path: "/{name}/blobs/uploads/{upload}", access: onUpload } as const;

/**
 * The operations of the distribution protocol.
 * @see https://github.com/opencontainers/distribution-spec/blob/v1.1.0/spec.md#endpoints
 */
export const distributionOperations: readonly DistributionOperation[] = [
  operation({ ...root, id: "pingRegistry", method: "GET", summary: "Whether the registry supports the protocol." }),
  operation({ ...root, id: "checkRegistry", method: "HEAD", summary: "The same, without a body." }),
  operation({
    id: "listCatalog",
    method: "GET",
    path: "/_catalog",
    summary: "The repositories that the caller has a role on.",
    access: withCredentials("registry:catalog:*"),
    query: PageQuery,
    success: 200,
    handle: by(listCatalog),
  }),
  operation({
    id: "listTags",
    method: "GET",
    path: "/{name}/tags/list",
    summary: "The tags of a repository.",
    access: onPull,
    query: PageQuery,
    success: 200,
    handle: by(listTags),
  }),
  operation({
    id: "getImageReport",
    method: "GET",
    path: "/{name}/_plimsoll/report/{reference}",
    summary: "The scanner's report on an image.",
    access: onPull,
    success: 200,
    handle: by(getImageReport),
  }),
  operation({
    id: "listReferrers",
    method: "GET",
    path: "/{name}/referrers/{digest}",
    summary: "The referrers of an image: manifests with it as their subject.",
    access: onListReferrers,
    query: ReferrersQuery,
    success: 200,
    audit: ["create_repo"],
    handle: by(listReferrers),
  }),
  operation({
    ...manifest,
    id: "pullManifest",
    method: "GET",
    summary: "A manifest, exactly as it was pushed.",
    access: onPullManifest,
    success: 200,
    audit: ["create_repo", "pull_repo", "pull_repo_failed"],
    handle: by(getManifest),
  }),
  operation({
    ...manifest,
    id: "checkManifest",
    method: "HEAD",
    summary: "Whether there is a manifest.",
    access: onPullManifest,
    success: 200,
    audit: ["create_repo", "pull_repo_failed"],
    handle: by(headManifest),
  }),
  operation({
    ...manifest,
    id: "pushManifest",
    method: "PUT",
    summary: "Store a manifest, and point tags at it.",
    access: onPush,
    query: TagsQuery,
    success: 201,
    audit: ["create_repo", "push_repo", "push_repo_failed"],
    handle: by(putManifestContent),
  }),
  operation({
    ...manifest,
    id: "deleteImageManifest",
    method: "DELETE",
    summary: "End a tag; by digest, every tag of the image.",
    access: onChange,
    success: 202,
    audit: ["delete_tag", "delete_tag_failed"],
    handle: by(deleteManifest),
  }),
  operation({
    id: "startUpload",
    method: "POST",
    path: "/{name}/blobs/uploads/",
    summary: "Begin an upload, mount a blob, or push a whole blob.",
    access: onPush,
    query: StartQuery,
    success: 202,
    audit: ["create_repo", "push_repo_failed"],
    handle: by(startUpload),
  }),
  operation({
    ...upload,
    id: "getUpload",
    method: "GET",
    summary: "The received bytes of an upload.",
    success: 204,
    handle: by(getUpload),
  }),
  operation({
    ...upload,
    id: "continueUpload",
    method: "PATCH",
    summary: "Add a chunk to an upload.",
    success: 202,
    audit: ["push_repo_failed"],
    handle: by(continueUpload),
  }),
  operation({
    ...upload,
    id: "completeUpload",
    method: "PUT",
    summary: "Add the rest of an upload, and make it a blob.",
    query: DigestQuery,
    success: 201,
    audit: ["push_repo_failed"],
    handle: by(completeUpload),
  }),
  operation({
    ...upload,
    id: "cancelUpload",
    method: "DELETE",
    summary: "Cancel an upload.",
    success: 204,
    handle: by(cancelUpload),
  }),
  operation({
    ...blob,
    id: "pullBlob",
    method: "GET",
    summary: "A blob, or a range of it.",
    access: onPullBlob,
    success: 200,
    audit: ["create_repo", "pull_repo_failed"],
    handle: by(getBlobContent),
  }),
  operation({
    ...blob,
    id: "checkBlob",
    method: "HEAD",
    summary: "Whether there is a blob.",
    access: onPullBlob,
    success: 200,
    audit: ["create_repo"],
    handle: by(headBlob),
  }),
  operation({
    ...blob,
    id: "deleteBlob",
    method: "DELETE",
    summary: "Remove a blob from a repository.",
    access: onChange,
    success: 202,
    handle: by(deleteBlob),
  }),
];
