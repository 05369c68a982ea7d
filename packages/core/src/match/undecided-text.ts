import type { PackageFact, UndecidedPackages } from "../model/index-report.ts";

const phrases: Readonly<Record<PackageFact, string>> = {
  ecosystem: "of no distribution or language whose advisories are known",
  release: "of a release of the distribution that is not known, or that no loaded feed covers",
  group: "whose Maven group is not known",
  source: "whose source package is not known",
  module: "whose module is not known",
  epoch: "whose epoch is not known",
  owner: "of which the document does not say whether a package of the distribution owns its file",
  maker: "of which it is not known whether the distribution made it",
  version: "whose version is not known or cannot be compared",
  statement: "of which an advisory does not say whether it is affected",
};

const named = 3;

/**
 * A text about packages that cannot be judged because of one fact: their number, the fact, and the first of them. It names what an image contains,
 * so it is not safe for a terminal.
 * @param packages of the report, by their ids
 * @example
 * const packages = { 1: { name: "jackson-mapper-asl", version: "1.9.13" } };
 * undecidedText({ fact: "group", packageIds: ["1"] }, packages); // "1 package whose Maven group is not known: jackson-mapper-asl 1.9.13"
 */
export function undecidedText(
  { fact, packageIds }: UndecidedPackages,
  packages: Readonly<Record<string, { readonly name: string; readonly version?: string }>>,
): string {
  const names = packageIds.slice(0, named).map((id) => {
    const { name = "", version = "" } = packages[id] ?? {};
    return `${name} ${version}`.trim();
  });
  const rest = packageIds.length > named ? ` and ${packageIds.length - named} more` : "";
  const count = packageIds.length === 1 ? "1 package" : `${packageIds.length} packages`;
  return `${count} ${phrases[fact]}: ${names.join(", ")}${rest}`;
}
