import { languageKey } from "../model/package.ts";
import { lookupName } from "../model/package-name.ts";
import type { IndexRecord } from "../plugins/matcher.ts";

/** The names that a package of conda may have in the repository of its language. */
const ofConda: readonly (readonly [repository: string, nameOf: (name: string) => string | undefined])[] = [
  ["pypi", (name) => lookupName("PyPI", name)],
  ["cran", (name) => (name.startsWith("r-") ? name.slice("r-".length) : undefined)],
];

/**
 * Adds to each package of conda the package of a language that is the same software: conda lists `numpy` and `r-rlang`, and the files that it installs
 * contain the metadata of PyPI and CRAN, in which they are found again. Both have the same version; CRAN's `1.0-6` is conda's `1.0_6`.
 */
export function withSameSoftware(records: readonly IndexRecord[]): readonly IndexRecord[] {
  if (!records.some((record) => languageOf(record) === "conda")) return records;
  const byName = new Map(records.map((record) => [keyOf(languageOf(record), record.package), record]));
  return records.map((record) => {
    const same = languageOf(record) === "conda" ? findSame(record, byName) : undefined;
    return same === undefined ? record : { ...record, sameSoftware: same };
  });
}

function findSame(
  { package: { name, version } }: IndexRecord,
  byName: ReadonlyMap<string, IndexRecord>,
): IndexRecord | undefined {
  for (const [repository, nameOf] of ofConda) {
    const named = nameOf(name);
    const found = named === undefined ? undefined : byName.get(keyOf(repository, { name: named, version }));
    if (found !== undefined) return found;
  }
  return undefined;
}

function languageOf({ repositories }: IndexRecord): string | undefined {
  return repositories.find(({ key }) => key === languageKey)?.name;
}

function keyOf(
  repository: string | undefined,
  { name, version }: Pick<IndexRecord["package"], "name" | "version">,
): string {
  const plain = repository === "pypi" ? lookupName("PyPI", name) : name.toLowerCase();
  return [repository ?? "", plain, version.replaceAll("-", "_")].join("\0");
}
