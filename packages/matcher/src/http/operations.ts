import { type IndexReport, ScanError } from "@plimsoll/core";
import { parseDigest } from "@plimsoll/core/digest";
import { toVulnerabilityReportJsonInSlices } from "@plimsoll/core/internal";
import { type Json, parseIndexReportJson } from "@plimsoll/core/report";
import { RequestError, type ResultOf } from "@plimsoll/http";
import {
  DigestPath,
  DigestText,
  IndexReportDocument,
  inventoryMembers,
  ManifestDigests,
  relatedDiffType,
  reportBounds,
  type ScannerOperation,
  scannerOperation,
  VulnerabilityDocument,
} from "@plimsoll/scanner-api";
import { cooperativeYield } from "@plimsoll/store";
import { Type } from "typebox";
import type { DiffRefs, VulnerabilityDiff } from "../diff-refs.ts";
import type { BatchItem, MatchService } from "../match-service.ts";

/** The context of the matcher's operations. */
export interface MatcherContext {
  readonly matcher: MatchService;
  /** The `max-age` of reports. */
  readonly cacheSeconds: number;
}

const operation = scannerOperation<MatcherContext>();

const VulnerabilityReportDocument = Type.Object(
  {
    manifest_hash: DigestText,
    ...inventoryMembers,
    vulnerabilities: Type.Record(Type.String(), VulnerabilityDocument),
    package_vulnerabilities: Type.Record(Type.String(), Type.Array(Type.String())),
    enrichments: Type.Optional(Type.Record(Type.String(), Type.Array(Type.Unknown()))),
  },
  { title: "vulnerability_report" },
);

/** An index report; one of a Plimsoll indexer also says what was read. */
const CoveredIndexReport = Type.Object(
  { ...IndexReportDocument.properties, coverage: Type.Optional(Type.Unknown()) },
  { title: "index_report" },
);

const ReportLine = Type.Object(
  {
    manifest_hash: DigestText,
    report: Type.Optional(VulnerabilityReportDocument),
    error: Type.Optional(Type.String({ description: "Why there is no report." })),
  },
  { title: "vulnerability_report_line" },
);

type ReportLine = ResultOf<typeof ReportLine, never>;

const ReportLines = Type.Unsafe<AsyncIterable<ReportLine>>(ReportLine);

const UpdateKindText = Type.Enum(["vulnerability", "enrichment"]);

/** The `ref` of an update operation. */
const RefText = Type.String({
  description: "A UUID.",
  pattern: "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$",
});

const UpdateOperationDocument = Type.Object(
  {
    ref: RefText,
    updater: Type.String(),
    fingerprint: Type.String(),
    date: Type.String({ format: "date-time" }),
    kind: UpdateKindText,
  },
  { title: "update_operation" },
);

const OperationsQuery = Type.Object({ kind: Type.Optional(UpdateKindText), latest: Type.Optional(Type.Boolean()) });

const UpdateOperations = Type.Record(Type.String(), Type.Array(UpdateOperationDocument), {
  title: "update_operations",
});

const UpdateDiffDocument = Type.Unsafe<VulnerabilityDiff>(
  Type.Object(
    {
      prev: Type.Optional(UpdateOperationDocument),
      cur: UpdateOperationDocument,
      added: Type.Array(VulnerabilityDocument),
      removed: Type.Array(VulnerabilityDocument),
    },
    { title: "update_diff" },
  ),
);

const getVulnerabilityReport = operation({
  id: "getVulnerabilityReport",
  method: "GET",
  path: "/matcher/api/v1/vulnerability_report/{digest}",
  summary: "Match an indexed image with the current advisories.",
  params: DigestPath,
  result: VulnerabilityReportDocument,
  success: 201,
  refusals: [400, 404, 415],
  headers: { "Cache-Control": "How long the report may be cached." },
  handle: async ({ params, signal }, { matcher }) =>
    toVulnerabilityReportJsonInSlices(await matcher.report(parseDigest(params.digest), { signal }), cooperativeYield()),
  headersOf: (_, { cacheSeconds }) => ({ "cache-control": `max-age=${cacheSeconds}` }),
});

const listVulnerabilityReports = operation({
  id: "listVulnerabilityReports",
  method: "POST",
  path: "/matcher/api/v1/internal/vulnerability_report",
  summary: "Match many indexed images: one line of JSON for each, in the order of the request.",
  internal: true,
  body: ManifestDigests,
  result: ReportLines,
  lines: true,
  success: 200,
  refusals: [400, 415],
  trailer: true,
  handle: async ({ body, signal }, { matcher }) => linesOf(matcher.batch(body.map(parseDigest), { signal })),
});

const matchIndexReport = operation({
  id: "matchIndexReport",
  method: "POST",
  path: "/matcher/api/v1/internal/index_report",
  summary: "Match the index report in the request; the indexer does not need to have it.",
  internal: true,
  body: CoveredIndexReport,
  publishedBody: IndexReportDocument,
  result: VulnerabilityReportDocument,
  success: 200,
  refusals: [400, 413, 415],
  trailer: true,
  handle: async ({ body, signal }, { matcher }) =>
    toVulnerabilityReportJsonInSlices(
      await matcher.match(parseReportBody(body as Json), { signal }),
      cooperativeYield(),
    ),
});

const getUpdateOperations = operation({
  id: "getUpdateOperations",
  method: "GET",
  path: "/matcher/api/v1/internal/update_operation",
  summary: "List the update operations by updater, the newest first.",
  internal: true,
  query: OperationsQuery,
  result: UpdateOperations,
  success: 200,
  refusals: [400, 415],
  headers: { Etag: "The newest operation." },
  unchanged: 304,
  trailer: true,
  entityTag: ({ query }, { matcher }) => matcher.findLatestRef(query.kind ?? "vulnerability"),
  handle: async ({ query }, { matcher }) =>
    matcher.updateOperations({ kind: query.kind ?? "vulnerability", latest: query.latest ?? false }),
});

const DiffScope = Type.Enum(["changed", "related"], {
  description: "Only changed advisories, or also all others that affect verdicts on packages of indexed images.",
});

const getUpdateDiff = operation({
  id: "getUpdateDiff",
  method: "GET",
  path: "/matcher/api/v1/internal/update_diff",
  summary: "Compare two update operations.",
  internal: true,
  query: Type.Object({ prev: RefText, cur: Type.Optional(RefText), scope: Type.Optional(DiffScope) }),
  result: UpdateDiffDocument,
  success: 200,
  refusals: [400, 415],
  trailer: true,
  handle: async ({ query, mediaType }, { matcher }) => {
    const scope = mediaType === relatedDiffType ? "related" : "changed";
    return matcher.updateDiff(parseRefs({ scope, ...query })).catch(unknownRef);
  },
});

const deleteUpdateOperation = operation({
  id: "deleteUpdateOperation",
  method: "DELETE",
  path: "/matcher/api/v1/internal/update_operation/{digest}",
  summary: "Delete an update operation; differences to it can no longer be computed.",
  internal: true,
  params: Type.Object({ digest: RefText }),
  success: 200,
  refusals: [400, 415],
  trailer: true,
  handle: async ({ params }, { matcher }) => {
    await matcher.deleteUpdateOperation(parseRef(params.digest));
  },
});

const FeedCoverageList = Type.Array(
  Type.Object(
    { ecosystem: Type.String(), covered: Type.Boolean({ description: "Whether any loaded feed covers it." }) },
    { title: "feed_coverage" },
  ),
  { title: "feed_coverages" },
);

const listFeedCoverage = operation({
  id: "listFeedCoverage",
  method: "POST",
  path: "/matcher/api/v1/internal/feed_coverage",
  summary: "List the ecosystems that the loaded feeds cover.",
  internal: true,
  body: Type.Array(Type.String(reportBounds.text), { title: "ecosystems", maxItems: 10_000 }),
  result: FeedCoverageList,
  success: 200,
  refusals: [400, 415],
  trailer: true,
  handle: async ({ body }, { matcher }) =>
    (await matcher.facts.coverage(body)).map(({ ecosystem, covered }) => ({ ecosystem, covered })),
});

const EnrichmentQuestion = Type.Object(
  {
    enricher: Type.String({ maxLength: 1000 }),
    tags: Type.Array(Type.String(reportBounds.text), { maxItems: 10_000 }),
  },
  { title: "enrichment_question" },
);

const EnrichmentRecords = Type.Array(
  Type.Object({ tags: Type.Array(Type.String()), record: Type.Unknown() }, { title: "enrichment_record" }),
  { title: "enrichment_records" },
);

const listEnrichmentRecords = operation({
  id: "listEnrichmentRecords",
  method: "POST",
  path: "/matcher/api/v1/internal/enrichment_record",
  summary: "List the records of an enricher that have any of the given tags.",
  internal: true,
  body: EnrichmentQuestion,
  result: EnrichmentRecords,
  success: 200,
  refusals: [400, 415],
  trailer: true,
  handle: async ({ body }, { matcher }) =>
    (await matcher.facts.findEnrichments(body.enricher, body.tags)).map(({ tags, record }) => ({
      tags: [...tags],
      record,
    })),
});

/** The operations of the matcher. */
export const matcherOperations: readonly ScannerOperation[] = [
  getVulnerabilityReport,
  listVulnerabilityReports,
  matchIndexReport,
  getUpdateDiff,
  getUpdateOperations,
  deleteUpdateOperation,
  listFeedCoverage,
  listEnrichmentRecords,
];

/** Parses the index report of a request. The schema has checked the members that all indexers send; the rest is checked here. */
function parseReportBody(body: Json): IndexReport {
  try {
    return parseIndexReportJson(body);
  } catch (error) {
    if (!(error instanceof ScanError && error.code === "malformed_report")) throw error;
    throw new RequestError("malformed_request", `body: ${error.message}`, { cause: error });
  }
}

/** Converts a UUID, which the schema has checked, to its stored form. */
function parseRef(text: string): string {
  return text.toLowerCase();
}

function parseRefs({ prev, cur, ...others }: DiffRefs): DiffRefs {
  return { ...others, prev: parseRef(prev), cur: cur === undefined ? undefined : parseRef(cur) };
}

/** An unknown operation in a query is a malformed request and not a 404 of the path. */
function unknownRef(error: unknown): never {
  if (error instanceof ScanError && error.code === "not_found") {
    throw new RequestError("malformed_request", `query: ${error.message}`, { cause: error });
  }
  throw error;
}

async function* linesOf(items: AsyncIterable<BatchItem>): AsyncGenerator<ReportLine> {
  for await (const item of items) {
    yield item.kind === "report"
      ? { manifest_hash: item.digest, report: await toVulnerabilityReportJsonInSlices(item.report, cooperativeYield()) }
      : { manifest_hash: item.digest, error: item.error instanceof ScanError ? item.error.message : "internal error" };
  }
}
