import { Type } from "typebox";
import { onRepository } from "../../access/on-repository.ts";
import { notFound } from "../../errors.ts";
import { operation } from "../../operation.ts";
import { findImageSecurity } from "../../security/image-security.ts";
import { SecurityData, withoutVulnerabilities } from "../../security/views.ts";
import { findStoredManifest } from "../queries/image-manifests.ts";
import { readImageHistory } from "../read-image-history.ts";
import { getShownManifest } from "../shown-manifest.ts";
import { ManifestView, manifestView } from "../views/image-manifest.ts";

const path = "/repository/{repository}/manifest/{manifestref}";
const access = onRepository("read");
const params = { manifestref: "The digest of the manifest" };

const getRepoManifest = operation({
  id: "getRepoManifest",
  method: "GET",
  path,
  summary: "An image manifest and the steps that made the image.",
  tag: "manifest",
  params,
  access,
  success: 200,
  result: ManifestView,
  async handle({ subject: { repository }, params: { manifestref: digest = "" } }, { db, ports, now }) {
    const manifest = await getShownManifest(db, { repositoryId: repository.id, digest, now });
    return manifestView(manifest, await readImageHistory(ports.blobs, manifest));
  },
});

const getRepoManifestSecurity = operation({
  id: "getRepoManifestSecurity",
  method: "GET",
  path: `${path}/security`,
  summary: "What is in an image and what is wrong with it.",
  tag: "secscan",
  params,
  feature: "securityScanner",
  access,
  query: Type.Object({
    vulnerabilities: Type.Optional(Type.Boolean({ description: "False: only what is in the image" })),
  }),
  success: 200,
  mayBeLong: true,
  result: Type.Object({
    status: Type.Enum(["queued", "scanned", "failed", "unsupported", "manifest_layer_too_large"]),
    data: Type.Union([SecurityData, Type.Null()], { description: "Null unless the status is scanned" }),
    reason: Type.Optional(Type.String({ description: "Why the scan failed" })),
  }),
  async handle({ subject: { repository }, params: { manifestref: digest = "" }, query }, { db, ports, request }) {
    const manifest = await findStoredManifest(db, { repositoryId: repository.id, digest });
    if (manifest === undefined) throw notFound();
    const security = await findImageSecurity(db, ports.imageScanner, manifest, request.signal);
    const { vulnerabilities = true } = query;
    if (vulnerabilities || security.data === null) return security;
    return { ...security, data: await withoutVulnerabilities(security.data) };
  },
});

/** What repositories hold under a digest. */
export const imageManifestOperations = [getRepoManifest, getRepoManifestSecurity];
