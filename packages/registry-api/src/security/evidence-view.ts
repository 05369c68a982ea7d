import type { Vulnerability, VulnerabilityReport } from "@plimsoll/core";
import type { Rating, Risk } from "@plimsoll/core/internal";
import { compareRisk, risksOf } from "@plimsoll/core/match";
import { type Json, parseVulnerabilityReportJson, type VulnerabilityReportJson } from "@plimsoll/core/report";
import { purlOf } from "@plimsoll/registry/security/upgrades";
import { cooperativeYield } from "@plimsoll/store";
import { type Static, Type } from "typebox";

/** Additional members of a package that the contract does not have: where it was found, and its other names. */
export const packageEvidence = {
  PackageDb: Type.Optional(Type.String({ description: "The path of the file that lists the package" })),
  Purl: Type.Optional(Type.String({ description: "Its package URL, which rules that suppress findings name" })),
  Source: Type.Optional(
    Type.Object(
      { Name: Type.String(), Version: Type.String() },
      { description: "The package that it was built from, if advisories are about that package" },
    ),
  ),
};

/** Additional members of a vulnerability that the contract does not have: its risk, and why the package has it. */
export const vulnerabilityEvidence = {
  Rank: Type.Integer({ minimum: 0, description: "Its place among those of the image, 0 for the greatest risk" }),
  KnownExploited: Type.Boolean(),
  Epss: Type.Optional(
    Type.Object(
      {
        Probability: Type.Number({ minimum: 0, maximum: 1 }),
        Percentile: Type.Number({ minimum: 0, maximum: 1 }),
      },
      { description: "The probability of an exploit within 30 days; absent if it is not known" },
    ),
  ),
  Ratings: Type.Array(
    Type.Object({ Source: Type.String(), Severity: Type.String(), Score: Type.Optional(Type.Number()) }),
    { description: "The severity by each source; the first counts" },
  ),
  Advisory: Type.Object(
    {
      Package: Type.String({ description: "The package that the advisory is about" }),
      From: Type.Optional(Type.String({ description: "The first affected version; absent: all from the first on" })),
      Before: Type.Optional(
        Type.String({ description: "The first version that is not affected; absent: none is known" }),
      ),
      Published: Type.Optional(Type.String({ format: "date-time" })),
    },
    { description: "The statement that the package was matched with" },
  ),
};

const PackageEvidence = Type.Object(packageEvidence);
const VulnerabilityEvidence = Type.Object(vulnerabilityEvidence);

type PackageEvidence = Static<typeof PackageEvidence>;
type VulnerabilityEvidence = Static<typeof VulnerabilityEvidence>;

/** The additional members of the packages and vulnerabilities of a report. */
export interface ReportEvidence {
  /** The members of a package, by its id. */
  ofPackage(id: string): PackageEvidence;
  /** The members of a vulnerability, by its id. */
  ofVulnerability(id: string): VulnerabilityEvidence;
}

/** How many packages or vulnerabilities are read at a time: reports may have hundreds of thousands. */
const partLength = 500;

/** Reads the additional members from a report, in slices, so that other work can run in between. */
export async function evidenceOf(json: VulnerabilityReportJson): Promise<ReportEvidence> {
  const packages = new Map<string, PackageEvidence>();
  const { enrichments, distributions, repository } = json;
  for await (const some of inParts(json.packages)) {
    const environments = pick(json.environments, Object.keys(some));
    const part = parsePart(json, { packages: some, environments, distributions, repository });
    for (const id of Object.keys(part.packages)) packages.set(id, evidenceOfPackage(part, id));
  }
  const risks = new Map<string, Risk>();
  const vulnerabilities = new Map<string, Omit<VulnerabilityEvidence, "Rank">>();
  for await (const some of inParts(json.vulnerabilities)) {
    const part = parsePart(json, { vulnerabilities: some, enrichments });
    for (const [id, risk] of risksOf(part)) {
      const vulnerability = part.vulnerabilities[id];
      risks.set(id, risk);
      if (vulnerability !== undefined) vulnerabilities.set(id, evidenceOfVulnerability(vulnerability, risk));
    }
  }
  const sorted = await sortedInSlices([...risks], ([, one], [, other]) => compareRisk(one, other));
  const ranked = sorted.map(([id]) => id);
  const ranks = new Map(ranked.map((id, rank) => [id, rank]));
  const unknown = { KnownExploited: false, Ratings: [], Advisory: { Package: "" } };
  return {
    ofPackage: (id) => packages.get(id) ?? {},
    ofVulnerability: (id) => ({ Rank: ranks.get(id) ?? ranked.length, ...(vulnerabilities.get(id) ?? unknown) }),
  };
}

/** A report with some of its parts only. */
function parsePart(
  { manifest_hash }: VulnerabilityReportJson,
  parts: Partial<VulnerabilityReportJson>,
): VulnerabilityReport {
  const nothing = { packages: {}, environments: {}, distributions: {}, repository: {} };
  const report = {
    manifest_hash,
    ...nothing,
    vulnerabilities: {},
    package_vulnerabilities: {},
    enrichments: {},
    ...parts,
  };
  return parseVulnerabilityReportJson(report as unknown as Json);
}

async function* inParts<Item>(all: Readonly<Record<string, Item>>): AsyncGenerator<Readonly<Record<string, Item>>> {
  const yieldToOthers = cooperativeYield();
  const ids = Object.keys(all);
  for (let first = 0; first < ids.length; first += partLength) {
    yield pick(all, ids.slice(first, first + partLength));
    await yieldToOthers();
  }
}

function pick<Item>(all: Readonly<Record<string, Item>>, ids: readonly string[]): Readonly<Record<string, Item>> {
  return Object.fromEntries(ids.flatMap((id) => (all[id] === undefined ? [] : [[id, all[id]]])));
}

function evidenceOfVulnerability(
  vulnerability: Vulnerability,
  { isExploited, epss }: Risk,
): Omit<VulnerabilityEvidence, "Rank"> {
  return {
    KnownExploited: isExploited,
    Epss: epss && { Probability: epss.probability, Percentile: epss.percentile },
    Ratings: ratingsOf(vulnerability),
    Advisory: advisoryOf(vulnerability),
  };
}

function evidenceOfPackage(report: VulnerabilityReport, id: string): PackageEvidence {
  const found = report.packages[id];
  const [environment] = report.environments[id] ?? [];
  if (found === undefined) return {};
  const { source } = found;
  return {
    PackageDb: environment?.packageDb,
    Purl: purlOf(report, id),
    Source: source && { Name: source.name, Version: source.version },
  };
}

function ratingsOf({ ratings, updater, normalizedSeverity }: Vulnerability) {
  if (ratings === undefined) return [{ Source: updater, Severity: normalizedSeverity }];
  return ratings.map(({ source: Source, severity: Severity, score }: Rating) => ({
    ...{ Source, Severity },
    Score: score,
  }));
}

function advisoryOf({ package: { name: Package }, range, issuedAt }: Vulnerability) {
  return {
    Package,
    From: range?.lower,
    Before: range?.upper,
    Published: issuedAt === undefined ? undefined : new Date(issuedAt).toISOString(),
  };
}

/** How many items are sorted without a pause: less than a millisecond. */
const runLength = 1000;

/**
 * The items in order, as `toSorted` returns them; equal ones stay in their order. Other work of the thread runs in between: sorting 200,000
 * items takes a quarter of a second.
 */
export async function sortedInSlices<Item>(
  items: readonly Item[],
  compare: (one: Item, other: Item) => number,
): Promise<readonly Item[]> {
  const yieldToOthers = cooperativeYield();
  let runs: (readonly Item[])[] = [];
  for (let at = 0; at < items.length; at += runLength) {
    runs.push(items.slice(at, at + runLength).sort(compare));
    await yieldToOthers();
  }
  while (runs.length > 1) {
    const merged: (readonly Item[])[] = [];
    for (let at = 0; at < runs.length; at += 2) {
      const whole: Item[] = [];
      for (const part of merge(runs[at] ?? [], runs[at + 1] ?? [], compare)) {
        for (const item of part) whole.push(item);
        await yieldToOthers();
      }
      merged.push(whole);
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

/** Two lists in order as one, in parts. */
function* merge<Item>(
  ones: readonly Item[],
  others: readonly Item[],
  compare: (one: Item, other: Item) => number,
): Generator<readonly Item[]> {
  let [at, otherAt] = [0, 0];
  let part: Item[] = [];
  while (at < ones.length || otherAt < others.length) {
    const isOne =
      otherAt >= others.length || (at < ones.length && compare(ones[at] as Item, others[otherAt] as Item) <= 0);
    part.push((isOne ? ones[at++] : others[otherAt++]) as Item);
    if (part.length < runLength) continue;
    yield part;
    part = [];
  }
  yield part;
}
