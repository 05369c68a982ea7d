import { Type } from "typebox";
import { onRepository } from "../access/on-repository.ts";
import { findStoredManifest } from "../content/queries/image-manifests.ts";
import { notFound } from "../errors.ts";
import { operation } from "../operation.ts";
import { findImageSecurity } from "./image-security.ts";
import { SecurityData, withoutVulnerabilities } from "./views.ts";

const getRepoManifestSecurity = operation({
  id: "getRepoManifestSecurity",
  method: "GET",
  path: "/repository/{repository}/manifest/{manifestref}/security",
  summary: "What is in an image and what is wrong with it.",
  tag: "secscan",
  about: { manifestref: "The digest of the manifest" },
  feature: "securityScanner",
  access: onRepository("read"),
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
  async handle({ subject: { repository }, params: { manifestref: digest }, query }, { db, ports, request, now }) {
    const manifest = await findStoredManifest(db, { repositoryId: repository.id, digest });
    if (manifest === undefined) throw notFound();
    const security = await findImageSecurity({ db, ports, now }, manifest, request.signal);
    const { vulnerabilities = true } = query;
    if (vulnerabilities || security.data === null) return security;
    return { ...security, data: await withoutVulnerabilities(security.data) };
  },
});

/** What scans of pushed images found. */
export const securityOperations = [getRepoManifestSecurity];
