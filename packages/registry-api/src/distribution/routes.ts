import { deleteBlob, getBlobContent, headBlob } from "./blobs.ts";
import { type Endpoint, sendJson } from "./distribution.ts";
import { getImageReport } from "./image-report.ts";
import { listCatalog, listTags } from "./lists.ts";
import { deleteManifest, getManifest, headManifest } from "./manifests.ts";
import { putManifestContent } from "./push-manifest.ts";
import { listReferrers } from "./referrers.ts";
import { cancelUpload, completeUpload, continueUpload, getUpload, startUpload } from "./uploads.ts";

/** `GET /v2/` */
const ping: Endpoint = async (_distribution, { response }) => sendJson(response, {});

/** What a path means. */
export interface DistributionRoute {
  /** What figures and the access log call it, with the method beside it. */
  readonly operation: string;
  /** After `/v2/`. */
  readonly path: RegExp;
  readonly endpoints: Readonly<Record<string, Endpoint>>;
  /** Set where whoever shows nothing is told how to show who they are: with a token for this scope, if any. */
  readonly challenge?: { readonly scope?: string };
}

/** The paths of the protocol. Names of repositories have slashes, so the first that fits is meant. */
const routes: readonly DistributionRoute[] = [
  { operation: "distribution.ping", path: /^$/, endpoints: { GET: ping, HEAD: ping }, challenge: {} },
  {
    operation: "distribution.catalog",
    path: /^_catalog$/,
    endpoints: { GET: listCatalog },
    challenge: { scope: "registry:catalog:*" },
  },
  { operation: "distribution.tags", path: /^(?<name>.+)\/tags\/list$/, endpoints: { GET: listTags } },
  {
    operation: "distribution.report",
    path: /^(?<name>.+)\/_plimsoll\/report\/(?<reference>[^/]+)$/,
    endpoints: { GET: getImageReport },
  },
  {
    operation: "distribution.referrers",
    path: /^(?<name>.+)\/referrers\/(?<digest>[^/]+)$/,
    endpoints: { GET: listReferrers },
  },
  {
    operation: "distribution.manifests",
    path: /^(?<name>.+)\/manifests\/(?<reference>[^/]+)$/,
    endpoints: { GET: getManifest, HEAD: headManifest, PUT: putManifestContent, DELETE: deleteManifest },
  },
  { operation: "distribution.uploads", path: /^(?<name>.+)\/blobs\/uploads\/?$/, endpoints: { POST: startUpload } },
  {
    operation: "distribution.upload",
    path: /^(?<name>.+)\/blobs\/uploads\/(?<upload>[^/]+)$/,
    endpoints: { GET: getUpload, PATCH: continueUpload, PUT: completeUpload, DELETE: cancelUpload },
  },
  {
    operation: "distribution.blobs",
    path: /^(?<name>.+)\/blobs\/(?<digest>[^/]+)$/,
    endpoints: { GET: getBlobContent, HEAD: headBlob, DELETE: deleteBlob },
  },
];

/** What a path leads to, with the parts that it names; undefined for a path that is not of the protocol. */
export function findRoute(
  path: string,
): { readonly route: DistributionRoute; readonly params: Readonly<Record<string, string>> } | undefined {
  for (const route of routes) {
    const found = route.path.exec(path);
    if (found !== null) return { route, params: found.groups ?? {} };
  }
  return undefined;
}
