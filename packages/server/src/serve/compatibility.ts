import {
  type DocumentOperation,
  type Input,
  pending,
  RequestError,
  ResultWithHeaders,
  withQuery,
} from "@plimsoll/http";
import {
  coveredIndexReportType,
  coveredReportType,
  describedIndexReportType,
  relatedDiffType,
  scannerCoverageHeader,
} from "@plimsoll/scanner-api";
import type { TObject } from "typebox";
import {
  fillDifference,
  fillInventory,
  fillReport,
  lowerCaseKinds,
  onlyScores,
  raiseInDifference,
  raiseInNotifications,
  raiseInReport,
  renameSummaries,
} from "./reference-bodies.ts";
import { coverageHeader, reportedCoverage } from "./reported-coverage.ts";
import type { ScannerFace, ScannerServices } from "./scanner-face.ts";

/** What a difference depends on. */
interface Profile {
  readonly services: ScannerServices;
  readonly face: Pick<ScannerFace, "compatibility" | "vendor" | "onUnjudged">;
}

/** A difference of the `reference` profile, for one operation or for all. */
export interface Difference {
  readonly operation: string;
  readonly contract: string;
  readonly reference: string;
  readonly change?: (operation: DocumentOperation, profile: Profile) => DocumentOperation;
}

const filledIn = "it is there as an empty text, list or object, in nested objects too; range is never there";

/** Every difference between the profiles; the table in the documentation is generated from it. */
export const differences: readonly Difference[] = [
  {
    operation: "all",
    contract: "errors have the vendor's media type",
    reference: "errors have application/json",
  },
  {
    operation: "all",
    contract: "the Content-Type of a request body is checked",
    reference: "it is ignored",
  },
  {
    operation: "all",
    contract: "a path with a slash at its end is unknown",
    reference: "the slash is ignored",
  },
  {
    operation: "all",
    contract: "services sign as plimsoll-intraservice, webhooks as plimsoll-notifier",
    reference: "they sign as VENDOR-intraservice and VENDOR-notifier",
  },
  {
    operation: "indexManifest",
    contract: "a manifest without layers is an empty image",
    reference: "400: bogus manifest",
    change: refuseWithoutLayers,
  },
  {
    operation: "getVulnerabilityReport",
    contract: "answers 201",
    reference: "answers 200",
    change: (operation) => ({ ...operation, success: 200 }),
  },
  {
    operation: "getVulnerabilityReport",
    contract: "before the first advisories a report has no vulnerabilities, and its coverage says why",
    reference: "202 without a body, whatever the manifest",
    change: waitForAdvisories,
  },
  {
    operation: "getUpdateDiff",
    contract: "prev is required, cur defaults to the newest operation of the same updater",
    reference: "cur is required, prev defaults to the time before the first operation",
    change: diffFromBeginning,
  },
  {
    operation: "getNotificationPage",
    contract: "page.size is the number of notifications in the page",
    reference: "page.size is the size asked for, and 500 where none or 0 is",
    change: (operation) => rewriteBody(operation, echoPageSize),
  },
  {
    operation: "getNotificationPage",
    contract: "next is page.next of another page",
    reference: "next may be the UUID of zeros, for the first page",
    change: acceptZerosAsAbsent,
  },
  ...[
    { operation: "getVulnerabilityReport", raise: raiseInReport },
    { operation: "getNotificationPage", raise: raiseInNotifications },
    { operation: "getUpdateDiff", raise: raiseInDifference },
  ].map(({ operation, raise }) => ({
    operation,
    contract: "Debian's unimportant is Negligible, and low, medium and high have these names",
    reference: "each is one level up: Low, Medium, High and Critical",
    change: (each: DocumentOperation) => rewriteBody(each, raise),
  })),
  {
    operation: "getNotificationPage",
    contract: "a vulnerability has normalized_severity and repository",
    reference: "it has the same as severity and repo too",
    change: (operation) => rewriteBody(operation, renameSummaries),
  },
  ...["getIndexReport", "indexManifest", "getVulnerabilityReport", "affectedManifests"].map((operation) => ({
    operation,
    contract: "what is not known is absent",
    reference: filledIn,
    change: (each: DocumentOperation) => rewriteBody(each, fillReport),
  })),
  ...["getIndexReport", "indexManifest", "getVulnerabilityReport"].map((operation) => ({
    operation,
    contract: "a package has no source if none is known, and may have no environment",
    reference: "it has both, if need be with empty texts",
    change: (each: DocumentOperation) => rewriteBody(each, fillInventory),
  })),
  {
    operation: "getUpdateDiff",
    contract: "what is not known is absent",
    reference: filledIn,
    change: (operation) => rewriteBody(operation, fillDifference),
  },
  ...[
    "getIndexReport",
    "indexManifest",
    "affectedManifests",
    "getVulnerabilityReport",
    "getUpdateDiff",
    "getNotificationPage",
  ].map((operation) => ({
    operation,
    contract: "a package's kind is BINARY or SOURCE",
    reference: "it is binary or source",
    change: (each: DocumentOperation) => rewriteBody(each, (body) => lowerCaseKinds(body) as object),
  })),
  // the last one of its operation, because its result has headers
  {
    operation: "getVulnerabilityReport",
    contract: "the enrichments are what was looked at, aliases, ratings, CVSS scores and others",
    reference: "they are only CVSS scores; the header VENDOR-Coverage says what was not judged",
    change: tellCoverageInHeader,
  },
];

/** Applies the differences of a profile to an operation. */
export function inProfile(profile: Profile, operation: DocumentOperation): DocumentOperation {
  if (profile.face.compatibility === "contract") return operation;
  return differences
    .filter((difference) => difference.operation === operation.id)
    .reduce((changed, { change }) => change?.(changed, profile) ?? changed, operation);
}

/** The issuers in the tokens of an installation: between its services, and in webhook requests. */
export function issuersOf({ compatibility, vendor }: Pick<ScannerFace, "compatibility" | "vendor">) {
  const owner = compatibility === "reference" ? vendor : "plimsoll";
  return { service: `${owner}-intraservice`, notifier: `${owner}-notifier` };
}

function refuseWithoutLayers(operation: DocumentOperation): DocumentOperation {
  return {
    ...operation,
    handle: (input) => {
      const { layers = [] } = input.body as { readonly layers?: readonly unknown[] };
      if (layers.length === 0) throw new RequestError("malformed_request", "bogus manifest: it has no layers");
      return operation.handle(input);
    },
  };
}

function waitForAdvisories(operation: DocumentOperation, { services: { matcher } }: Profile): DocumentOperation {
  return {
    ...operation,
    handle: async (input) => {
      const isFilled = async () => (await matcher?.matcher.findLatestRef("vulnerability")) !== undefined;
      return ownTypes.has(input.mediaType) || (await isFilled()) ? operation.handle(input) : pending;
    },
  };
}

/** The id that means "before the first update operation", and "before the first notification". */
const beginning = "00000000-0000-0000-0000-000000000000";

function diffFromBeginning(operation: DocumentOperation): DocumentOperation {
  return {
    ...operation,
    query: { ...operation.query, required: ["cur"] } as unknown as TObject,
    handle: (input) => operation.handle(withQuery(input, { prev: beginning, ...(input.query as object) })),
  };
}

function acceptZerosAsAbsent(operation: DocumentOperation): DocumentOperation {
  return {
    ...operation,
    handle: (input) => {
      const { next, ...query } = input.query as { readonly next?: string };
      return operation.handle(next === beginning ? withQuery(input, query) : input);
    },
  };
}

/** Media types between the services of an installation, which no profile changes. */
const ownTypes: ReadonlySet<string> = new Set([
  coveredIndexReportType,
  describedIndexReportType,
  coveredReportType,
  relatedDiffType,
]);

type Rewrite = (body: object, input: Input) => object;

function rewriteBody(operation: DocumentOperation, rewrite: Rewrite): DocumentOperation {
  return {
    ...operation,
    handle: async (input) => {
      const result = await operation.handle(input);
      return result === pending || ownTypes.has(input.mediaType) ? result : rewrite(result as object, input);
    },
  };
}

/** Moves the coverage of a report to a header, and leaves only the scores among its enrichments. */
function tellCoverageInHeader(operation: DocumentOperation, { face }: Profile): DocumentOperation {
  const name = scannerCoverageHeader(face.vendor);
  return {
    ...operation,
    headers: { ...operation.headers, [name]: "Whether all packages were judged, and what was not" },
    handle: async (input) => {
      const result = await operation.handle(input);
      if (result === pending || ownTypes.has(input.mediaType)) return result;
      const report = result as { readonly manifest_hash: string };
      const coverage = reportedCoverage(report);
      const { uncovered } = coverage;
      if (uncovered.length > 0) face.onUnjudged?.({ manifest: report.manifest_hash, uncovered });
      return new ResultWithHeaders(onlyScores(report), { [name.toLowerCase()]: coverageHeader(coverage) });
    },
  };
}

/** The default page size of the reference implementation. */
const referencePageSize = 500;

function echoPageSize(body: object, { query }: Input): object {
  const { page_size: asked = 0 } = query as { readonly page_size?: number };
  const size = asked === 0 ? referencePageSize : asked;
  return { ...body, page: { ...("page" in body ? (body.page as object) : {}), size } };
}
