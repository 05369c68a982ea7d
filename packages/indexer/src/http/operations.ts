import { type IndexReport, ScanError } from "@plimsoll/core";
import { parseDigest } from "@plimsoll/core/digest";
import {
  type CoveredIndexReportJson,
  parseManifest,
  toCoveredIndexReportJsonInSlices,
  toDescribedIndexReportJsonInSlices,
  toIndexReportJsonInSlices,
} from "@plimsoll/core/internal";
import type { IndexReportJson, Json } from "@plimsoll/core/report";
import {
  BulkDelete,
  coveredIndexReportType,
  DigestPath,
  describedIndexReportType,
  IndexReportDocument,
  ManifestDocument,
  PublishedSummaries,
  reportBounds,
  type ScannerOperation,
  scannerOperation,
  VulnerabilityDocument,
  VulnerabilitySummaries,
} from "@plimsoll/scanner-api";
import { cooperativeYield } from "@plimsoll/store";
import { Type } from "typebox";
import type { IndexService } from "../index-service.ts";
import { factKinds } from "../values/indexed-records.ts";
import type { IndexSlots } from "./index-slots.ts";

/** The context of the indexer's operations. */
export interface IndexerContext {
  readonly indexer: IndexService;
  readonly slots: IndexSlots;
}

const operation = scannerOperation<IndexerContext>();

const IndexStateDocument = Type.Object({ state: Type.String() }, { title: "index_state" });

const AffectedManifests = Type.Object(
  {
    vulnerabilities: Type.Record(Type.String(), Type.Unsafe<unknown>(VulnerabilityDocument)), // the submitted documents, unchanged
    vulnerable_manifests: Type.Record(Type.String(), Type.Array(Type.String())),
  },
  { title: "affected_manifests" },
);

const entityTagOfState = async (_: unknown, { indexer }: IndexerContext) => indexer.state();

const indexManifest = operation({
  id: "indexManifest",
  method: "POST",
  path: "/indexer/api/v1/index_report",
  summary: "Index an image: fetch its layers and list the packages in them.",
  body: ManifestDocument,
  result: IndexReportDocument,
  success: 201,
  refusals: [400, 409, 413, 415, 429],
  headers: { Location: "Where the index report is.", Link: "Where the reports are.", Etag: "The index state." },
  unchanged: 412,
  links: ({ body }) => ({ link: reportLinks(body.hash) }),
  headersOf: ({ body }) => ({ location: indexReportPath(body.hash) }),
  entityTag: entityTagOfState,
  handle: async ({ body, mediaType }, { indexer, slots }) => {
    const manifest = parseManifest(body as Json);
    using _slot = slots.take(); // held for the whole run, which continues if the client disconnects
    const report = await indexer.submit(manifest).catch(missingLayer);
    return reportJson(report, mediaType);
  },
});

const deleteManifests = operation({
  id: "deleteManifests",
  method: "DELETE",
  path: "/indexer/api/v1/index_report",
  summary: "Delete all data of images; answers with the digests of those that existed.",
  body: BulkDelete,
  result: BulkDelete,
  success: 200,
  refusals: [400, 415],
  trailer: true,
  handle: async ({ body }, { indexer }) => indexer.deleteMany(body.map(parseDigest)),
});

const deleteManifest = operation({
  id: "deleteManifest",
  method: "DELETE",
  path: "/indexer/api/v1/index_report/{digest}",
  summary: "Delete all data of an image.",
  params: DigestPath,
  success: 204,
  refusals: [400, 415],
  handle: async ({ params }, { indexer }) => {
    await indexer.delete(parseDigest(params.digest));
  },
});

const getIndexReport = operation({
  id: "getIndexReport",
  method: "GET",
  path: "/indexer/api/v1/index_report/{digest}",
  summary: "Get the index report of an image, finished or not.",
  params: DigestPath,
  result: IndexReportDocument,
  success: 200,
  refusals: [400, 404, 415],
  headers: { Etag: "The index state of a finished report; absent until it is finished." },
  unchanged: 304,
  trailer: true,
  entityTag: ({ params }, { indexer }) => indexer.findReportState(parseDigest(params.digest)),
  handle: async ({ params, mediaType }, { indexer }) => {
    const report = await indexer.findReport(parseDigest(params.digest));
    if (report === undefined) throw new ScanError("not_found", `there is no index report of ${params.digest}`);
    return reportJson(report, mediaType);
  },
});

const getIndexState = operation({
  id: "getIndexState",
  method: "GET",
  path: "/indexer/api/v1/index_state",
  summary: "Get the index state: when it changes, images must be indexed again.",
  result: IndexStateDocument,
  success: 200,
  refusals: [415],
  headers: { Etag: "The index state." },
  unchanged: 304,
  entityTag: entityTagOfState,
  handle: async (_, { indexer }) => ({ state: indexer.state() }),
});

const affectedManifests = operation({
  id: "affectedManifests",
  method: "POST",
  path: "/indexer/api/v1/internal/affected_manifest",
  summary: "Find the indexed images that vulnerabilities apply to.",
  internal: true,
  body: VulnerabilitySummaries,
  publishedBody: PublishedSummaries,
  result: AffectedManifests,
  success: 200,
  refusals: [400, 415],
  trailer: true,
  handle: async ({ body, signal }, { indexer }) => indexer.affectedManifests(body, { signal }),
});

const KeyPart = Type.String(reportBounds.text);

const MatchKeys = Type.Array(Type.Object({ ecosystem: KeyPart, name: KeyPart }, { title: "match_key" }), {
  ...reportBounds.list,
  title: "match_keys",
});

const listRelatedKeys = operation({
  id: "listRelatedKeys",
  method: "POST",
  path: "/indexer/api/v1/internal/related_keys",
  summary: "List all keys of the packages that are found under the given keys.",
  internal: true,
  body: MatchKeys,
  result: MatchKeys,
  success: 200,
  refusals: [400, 415],
  trailer: true,
  handle: async ({ body }, { indexer }) => indexer.relatedKeys(body),
});

const FoundImagesDocument = Type.Object(
  {
    images: Type.Array(
      Type.Object({
        digest: Type.String(),
        packages: Type.Array(Type.Object({ name: Type.String(), version: Type.String() })),
      }),
    ),
    next: Type.Optional(Type.String({ description: "The `after` of the request for more" })),
  },
  { title: "found_images" },
);

const ImagesQuestionDocument = Type.Object(
  {
    kind: Type.Enum([...factKinds]),
    value: Type.String({ minLength: 1, maxLength: 600 }),
    version: Type.Optional(Type.String({ maxLength: 600 })),
    after: Type.String({ maxLength: 200 }),
    limit: Type.Integer({ minimum: 1, maximum: 1000 }),
  },
  { title: "images_question" },
);

const findImages = operation({
  id: "findImages",
  method: "POST",
  path: "/indexer/api/v1/internal/find_images",
  summary: "Find the indexed images that have a package, a licence or a supplier.",
  internal: true,
  body: ImagesQuestionDocument,
  result: FoundImagesDocument,
  success: 200,
  refusals: [400, 415],
  handle: async ({ body }, { indexer }) => indexer.findImages(body),
});

/** The operations of the indexer. */
export const indexerOperations: readonly ScannerOperation[] = [
  indexManifest,
  deleteManifests,
  deleteManifest,
  getIndexReport,
  getIndexState,
  affectedManifests,
  listRelatedKeys,
  findImages,
];

/** A missing layer is a failed run and not a 404 of the requested path. */
function missingLayer(error: unknown): never {
  if (error instanceof ScanError && error.code === "not_found") {
    throw new ScanError("source_unreachable", error.message, { cause: error });
  }
  throw error;
}

/** The reports with more members than the contract has, by media type. */
const fullerReports: ReadonlyMap<string, typeof toCoveredIndexReportJsonInSlices> = new Map([
  [coveredIndexReportType, toCoveredIndexReportJsonInSlices],
  [describedIndexReportType, toDescribedIndexReportJsonInSlices],
]);

function reportJson(report: IndexReport, mediaType: string): Promise<IndexReportJson | CoveredIndexReportJson> {
  const toJson = fullerReports.get(mediaType) ?? toIndexReportJsonInSlices;
  return toJson(report, cooperativeYield());
}

function indexReportPath(digest: string): string {
  return `/indexer/api/v1/index_report/${digest}`;
}

/** @see https://www.rfc-editor.org/rfc/rfc8288 */
function reportLinks(digest: string): readonly string[] {
  return [
    `<${indexReportPath(digest)}>; rel="urn:plimsoll:v1:index_report"`,
    `</matcher/api/v1/vulnerability_report/${digest}>; rel="urn:plimsoll:v1:vulnerability_report"`,
  ];
}
