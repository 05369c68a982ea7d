import type { VulnerabilityReport } from "../match/report.ts";
import type { PackageFact, UndecidedPackages } from "../model/index-report.ts";

const phrases: Readonly<Record<PackageFact, string>> = {
  ecosystem: "of no distribution or language whose advisories are known",
  release: "of a release of the distribution that is not known, or that no loaded feed covers",
  group: "whose group, vendor or host is not known",
  source: "whose source package is not known",
  module: "whose module is not known",
  epoch: "whose epoch is not known",
  owner: "of which the document does not say whether a package of the distribution owns its file",
  maker: "of which it is not known whether the distribution made it",
  version: "whose version is not known or cannot be compared",
  statement: "of which an advisory does not say whether it is affected",
};

/**
 * Facts without which findings are reported all the same: an undecided one for each advisory that says nothing; those of a package that the distribution may
 * own, and have fixed; those of one that a third party may have made, as of packages that it is known to have made.
 */
export const hidesNothing: ReadonlySet<PackageFact> = new Set(["statement", "owner", "maker"]);

const named = 3;

/**
 * A text about packages that cannot be judged because of one fact: their number, the fact, and the first of them. It names what an image contains,
 * so it is not safe for a terminal.
 * @param packages of the report, by their ids
 * @example
 * const packages = { 1: { name: "jackson-mapper-asl", version: "1.9.13" } };
 * undecidedText({ fact: "group", packageIds: ["1"] }, packages); // "1 package whose group, vendor or host is not known: jackson-mapper-asl 1.9.13"
 */
export function undecidedText(
  { fact, packageIds }: UndecidedPackages,
  packages: Readonly<Record<string, { readonly name: string; readonly version?: string }>>,
): string {
  const names = packageIds.slice(0, named).map((id) => {
    const { name = "", version = "" } = packages[id] ?? {};
    return `${name} ${version}`.trim();
  });
  const count = packageIds.length === 1 ? "1 package" : `${packageIds.length} packages`;
  return `${count} ${phrases[fact]}: ${names.join(", ")}${andMore(packageIds)}`;
}

/**
 * The first of the vulnerabilities of which it is not decided whether they affect a package, by their names, for `explain`. Not safe for a terminal.
 * @example
 * undecidedPairsText([{ packageId: "1", name: "CVE-2024-1", reason: "vendor-undetermined" }], { 1: { name: "curl" } }); // "CVE-2024-1 of curl"
 */
export function undecidedPairsText(
  pairs: VulnerabilityReport["undecided"],
  packages: Readonly<Record<string, { readonly name: string }>>,
): string {
  const first = pairs
    .slice(0, named)
    .map(({ packageId, name }) => `${name} of ${packages[packageId]?.name ?? "a package"}`);
  return `${first.join(", ")}${andMore(pairs)}`;
}

function andMore({ length }: readonly unknown[]): string {
  return length > named ? ` and ${length - named} more` : "";
}
