import { onRepository } from "@plimsoll/registry/access/on-repository";
import { getReferencedManifest } from "@plimsoll/registry/content/stored-manifest";
import { askElsewhere } from "@plimsoll/registry/security/ask-elsewhere";
import { getPlatformImage } from "@plimsoll/registry/security/scannable-layers";
import { maybeSerialized } from "@plimsoll/registry/values/serialized-json";
import { Type } from "typebox";
import { operation } from "../operation.ts";
import { diffImages, ImageDiff } from "./diff-images.ts";
import { FindingPage, FindingQuery, findingPage, readFindings } from "./finding-page.ts";
import { LicensesDocument, viewLicenses } from "./image-licenses.ts";
import { ReportDocument, reportFormats, scanStates, writeReport } from "./report-document.ts";
import { SecurityReport } from "./security-report.ts";
import { shownSecurity } from "./shown-security.ts";

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
  result: maybeSerialized(
    Type.Object({
      status: Type.Enum([...scanStates]),
      data: Type.Union([SecurityReport, Type.Null()], { description: "Null unless the status is scanned" }),
      reason: Type.Optional(Type.String({ description: "Why the scan failed" })),
    }),
  ),
  async handle({ subject: { repository }, params: { manifestref: reference }, query }, context) {
    const { db, now, request } = context;
    const manifest = await getReferencedManifest(db, { repositoryId: repository.id, reference, now });
    const { vulnerabilities = true } = query;
    const question = { kind: "security", manifest, vulnerabilities } as const;
    const { signal } = request;
    return (await askElsewhere(context, question, signal)) ?? shownSecurity(context, question, signal);
  },
});

const listRepoManifestFindings = operation({
  id: "listRepoManifestFindings",
  isOwn: true,
  method: "GET",
  path: "/repository/{repository}/manifest/{manifestref}/security/findings",
  summary:
    "A page of the vulnerabilities of an image by package, of the upgrades that remove them, or of its packages.",
  tag: "secscan",
  about: { manifestref: "The digest of the manifest, or a tag" },
  feature: "securityScanner",
  access: onRepository("read"),
  query: FindingQuery,
  success: 200,
  mayBeLong: true,
  result: maybeSerialized(FindingPage),
  async handle({ subject: { repository }, params: { manifestref: reference }, query: wanted }, context) {
    const { db, now, request } = context;
    const manifest = await getReferencedManifest(db, { repositoryId: repository.id, reference, now });
    const { signal } = request;
    const written = await askElsewhere(context, { kind: "findings", manifest, wanted }, signal);
    return written ?? findingPage(await readFindings(context, manifest, signal), wanted);
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
  query: Type.Object({ format: Type.Enum(Object.keys(reportFormats) as (keyof typeof reportFormats)[]) }),
  success: 200,
  mayBeLong: true,
  result: maybeSerialized(ReportDocument),
  async handle({ subject: { repository }, params: { manifestref: reference }, query }, context) {
    const { db, now, request } = context;
    const manifest = await getReferencedManifest(db, { repositoryId: repository.id, reference, now });
    const { signal } = request;
    const wanted = { repository, manifest, format: query.format };
    const written = await askElsewhere(context, { kind: "document", ...wanted }, signal);
    return written ?? writeReport(context, wanted, signal);
  },
});

const getRepoManifestLicenses = operation({
  id: "getRepoManifestLicenses",
  isOwn: true,
  method: "GET",
  path: "/repository/{repository}/manifest/{manifestref}/licenses",
  summary: "The licences of the packages in an image, as the packages state them.",
  tag: "secscan",
  about: { manifestref: "The digest of the manifest, or a tag" },
  feature: "securityScanner",
  access: onRepository("read"),
  success: 200,
  mayBeLong: true,
  result: maybeSerialized(LicensesDocument),
  async handle({ subject: { repository }, params: { manifestref: reference } }, context) {
    const { db, now, request } = context;
    const manifest = await getReferencedManifest(db, { repositoryId: repository.id, reference, now });
    const question = { kind: "licenses", manifest } as const;
    const { signal } = request;
    return (await askElsewhere(context, question, signal)) ?? viewLicenses(context, question, signal);
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
  result: maybeSerialized(ImageDiff),
  async handle({ subject: { repository }, params: { manifestref }, query }, context) {
    const { db, now, request } = context;
    const get = (reference: string) => getReferencedManifest(db, { repositoryId: repository.id, reference, now });
    const [named, after] = [await get(query.before), await get(manifestref)];
    const before = await getPlatformImage(db, named, query.platform);
    const { image, ...platforms } = before;
    const [images, { signal }] = [{ before: image, after, about: { digest: image.digest, ...platforms } }, request];
    return (await askElsewhere(context, { kind: "diff", ...images }, signal)) ?? diffImages(context, images, signal);
  },
});

/** Operations on the reports of pushed images. */
export const securityOperations = [
  getRepoManifestSecurity,
  listRepoManifestFindings,
  getRepoManifestReport,
  getRepoManifestLicenses,
  getRepoManifestSecurityDiff,
];
