import { keepPreviousData } from "@tanstack/react-query";
import { call } from "../api/call.ts";
import type { Given, ResultOf } from "../api/operation.ts";
import { useOperation } from "../api/use-operation.ts";
import { maxRows } from "../api/use-pages.ts";
import type { FindingCounts, ShownFinding } from "../findings/shown-finding.ts";
import { countsOf, severities } from "../severities/severities.ts";
import type { ShownImage } from "./shown-image.ts";

const operation = "GET /repository/{repository}/manifest/{manifestref}/security/findings";

/** What is asked for: one page of the findings of an image, of the upgrades that remove them, or of its packages. */
export type FindingQuery = NonNullable<Given<typeof operation>["query"]>;

/** A page of what the scan of an image has found. */
export type FindingPage = NonNullable<ResultOf<typeof operation>["data"]>;

type Counts = FindingPage["counts"]["findings"];
type FoundVulnerability = NonNullable<FindingPage["findings"]>[number];

/** A vulnerability of one package of the image. */
export interface Finding extends ShownFinding {
  /** Unique among the findings of the image. */
  readonly key: string;
  readonly vulnerability: FoundVulnerability["vulnerability"];
  readonly feature: FoundVulnerability["package"];
}

/** Rows of a page. */
export const pageLength = 50;

/** How often the result of a queued image is fetched again, in milliseconds. */
const refetchEveryMs = 3000;

/** A page of what the scan of an image has found; while another is fetched, the page before. */
export function useFindingPage({ repository, digest }: ShownImage, query: FindingQuery) {
  return useOperation(
    operation,
    { params: { repository, manifestref: digest }, query: { limit: pageLength, ...query } },
    {
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => (state.data?.status === "queued" ? refetchEveryMs : false),
    },
  );
}

/** The rows of all pages, for a file; of very many the first. */
export async function readAllFindings<Row>(
  { repository, digest }: ShownImage,
  query: FindingQuery,
  rowsOf: (page: FindingPage) => readonly Row[],
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let page = 1; ; page++) {
    const given = { params: { repository, manifestref: digest }, query: { ...query, limit: 500, page } };
    const { data } = await call(operation, given);
    if (data === null) return rows;
    rows.push(...rowsOf(data));
    if (!data.has_additional || rows.length >= maxRows) return rows;
  }
}

/** The findings of a page. */
export function findingsOf({ findings = [] }: Pick<FindingPage, "findings">): readonly Finding[] {
  return findings.map(({ package: feature, vulnerability, needed_by: neededBy, reached }) => {
    const { Name: packageName, Version: version, AddedBy: layer } = feature;
    const score = vulnerability.Metadata.NVD.CVSSv3.Score;
    return {
      key: [packageName, version, layer, vulnerability.Name].join(" "),
      ...{ vulnerability, packageName, version, layer, feature, neededBy, reached },
      id: vulnerability.Name,
      isExploited: vulnerability.KnownExploited,
      epss: vulnerability.Epss?.Probability,
      severity: severities.find((each) => each === vulnerability.Severity) ?? "Unknown",
      fixedIn: vulnerability.FixedBy,
      score: score === "" ? undefined : score,
    };
  });
}

/** How many findings there are. */
export function totalOf(counts: Counts): number {
  return countsOf(counts).reduce((sum, [, count]) => sum + count, 0);
}

/** The counts of findings of each kind. */
export function shownCounts(counts: Counts): FindingCounts {
  return { severities: countsOf(counts), exploited: counts.known_exploited, fixable: counts.fixable };
}
