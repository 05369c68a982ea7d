import { Type } from "typebox";
import { onRepository } from "../access/on-repository.ts";
import { findStoredManifest } from "../content/queries/image-manifests.ts";
import { notFound } from "../errors.ts";
import { operation } from "../operation.ts";
import type { ReportFormat } from "../ports/scanning.ts";
import { diffImages, ImageDiff } from "./diff-images.ts";
import { findImageSecurity } from "./image-security.ts";
import { ReportDocument, reportFormats, scanStates, writeReport } from "./report-document.ts";
import { SecurityReport } from "./security-report.ts";
import { withoutVulnerabilities } from "./views.ts";

const getRepoManifestSecurity = operation({
  id: "getRepoManifestSecurity",
  method: "GET",
  path: "/repository/{repository}/manifest/{manifestref}/security",
  summary: "The packages of an image and their vulnerabilities.",
  tag: "secscan",
  about: { manifestref: "The digest of the manifest" },
  feature: "securityScanner",
  access: onRepository("read"),
  query: Type.Object({
    vulnerabilities: Type.Optional(Type.Boolean({ description: "False: only the packages" })),
  }),
  success: 200,
  mayBeLong: true,
  result: Type.Object({
    status: Type.Enum([...scanStates]),
    data: Type.Union([SecurityReport, Type.Null()], { description: "Null unless the status is scanned" }),
    reason: Type.Optional(Type.String({ description: "Why the scan failed" })),
  }),
  async handle({ subject: { repository }, params: { manifestref: digest }, query }, { db, ports, request, now }) {
    const manifest = await findStoredManifest(db, { repositoryId: repository.id, digest });
    if (manifest === undefined) throw noImage(digest);
    const security = await findImageSecurity({ db, ports, now }, manifest, request.signal);
    const { vulnerabilities = true } = query;
    if (vulnerabilities || security.data === null) return security;
    return { ...security, data: await withoutVulnerabilities(security.data) };
  },
});

const getRepoManifestReport = operation({
  id: "getRepoManifestReport",
  isOwn: true,
  method: "GET",
  path: "/repository/{repository}/manifest/{manifestref}/security/report",
  summary: "The report of an image as a file in a format of other tools.",
  tag: "secscan",
  about: { manifestref: "The digest of the manifest" },
  feature: "securityScanner",
  access: onRepository("read"),
  query: Type.Object({ format: Type.Enum(Object.keys(reportFormats) as ReportFormat[]) }),
  success: 200,
  mayBeLong: true,
  result: ReportDocument,
  async handle({ subject: { repository }, params: { manifestref: digest }, query }, { db, ports, request, now }) {
    const manifest = await findStoredManifest(db, { repositoryId: repository.id, digest });
    if (manifest === undefined) throw noImage(digest);
    const asked = { format: query.format, signal: request.signal };
    return writeReport({ db, ports, now }, { repository, manifest }, asked);
  },
});

const getRepoManifestSecurityDiff = operation({
  id: "getRepoManifestSecurityDiff",
  isOwn: true,
  method: "GET",
  path: "/repository/{repository}/manifest/{manifestref}/security/diff",
  summary:
    "Which packages and vulnerabilities an image has that another of the repository has not, and the other way round.",
  tag: "secscan",
  about: { manifestref: "The digest of the manifest of the later image" },
  feature: "securityScanner",
  access: onRepository("read"),
  query: Type.Object({ before: Type.String({ maxLength: 256, description: "The digest of the earlier image" }) }),
  success: 200,
  mayBeLong: true,
  result: ImageDiff,
  async handle({ subject: { repository }, params: { manifestref }, query }, { db, ports, request, now }) {
    const find = (digest: string) => findStoredManifest(db, { repositoryId: repository.id, digest });
    const [before, after] = [await find(query.before), await find(manifestref)];
    if (before === undefined || after === undefined) throw noImage(before === undefined ? query.before : manifestref);
    return diffImages({ db, ports, now }, { before, after }, request.signal);
  },
});

/** What scans of pushed images found. */
export const securityOperations = [getRepoManifestSecurity, getRepoManifestReport, getRepoManifestSecurityDiff];

function noImage(digest: string) {
  return notFound(`The repository has no manifest ${digest}: list its tags to see the digests`);
}
