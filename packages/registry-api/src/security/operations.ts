import { Type } from "typebox";
import { onRepository } from "../access/on-repository.ts";
import { getReferencedManifest } from "../content/manifest-reference.ts";
import { operation } from "../operation.ts";
import type { ReportFormat } from "../ports/scanning.ts";
import { diffImages, ImageDiff } from "./diff-images.ts";
import { findImageSecurity } from "./image-security.ts";
import { getPlatformImage } from "./platform-image.ts";
import { ReportDocument, reportFormats, scanStates, writeReport } from "./report-document.ts";
import { SecurityReport } from "./security-report.ts";
import { withoutVulnerabilities } from "./views.ts";

const getRepoManifestSecurity = operation({
  id: "getRepoManifestSecurity",
  method: "GET",
  path: "/repository/{repository}/manifest/{manifestref}/security",
  summary: "The packages of an image and their vulnerabilities.",
  tag: "secscan",
  about: { manifestref: "The digest of the manifest, or a tag" },
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
  async handle({ subject: { repository }, params: { manifestref: reference }, query }, { db, ports, request, now }) {
    const manifest = await getReferencedManifest(db, { repositoryId: repository.id, reference, now });
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
  about: { manifestref: "The digest of the manifest, or a tag" },
  feature: "securityScanner",
  access: onRepository("read"),
  query: Type.Object({ format: Type.Enum(Object.keys(reportFormats) as ReportFormat[]) }),
  success: 200,
  mayBeLong: true,
  result: ReportDocument,
  async handle({ subject: { repository }, params: { manifestref: reference }, query }, { db, ports, request, now }) {
    const manifest = await getReferencedManifest(db, { repositoryId: repository.id, reference, now });
    const options = { format: query.format, signal: request.signal };
    return writeReport({ db, ports, now }, { repository, manifest }, options);
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
  about: { manifestref: "The digest of the manifest of the later image, or a tag" },
  feature: "securityScanner",
  access: onRepository("read"),
  query: Type.Object({
    before: Type.String({ maxLength: 256, description: "The digest of the earlier image, or a tag" }),
    platform: Type.Optional(
      Type.String({ maxLength: 256, description: "Which image of a list, such as linux/arm64/v8; default: the first" }),
    ),
  }),
  success: 200,
  mayBeLong: true,
  result: ImageDiff,
  async handle({ subject: { repository }, params: { manifestref }, query }, { db, ports, request, now }) {
    const get = (reference: string) => getReferencedManifest(db, { repositoryId: repository.id, reference, now });
    const [named, after] = [await get(query.before), await get(manifestref)];
    const before = await getPlatformImage(db, named, query.platform);
    const diff = await diffImages({ db, ports, now }, { before: before.image, after }, request.signal);
    const { image, ...platforms } = before;
    return { ...diff, before: { digest: image.digest, ...platforms } };
  },
});

/** Operations on the reports of pushed images. */
export const securityOperations = [getRepoManifestSecurity, getRepoManifestReport, getRepoManifestSecurityDiff];
