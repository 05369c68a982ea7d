import { type PackageRepository, qualifiersKey } from "./package.ts";

type Entry = Omit<PackageRepository, "id">;

/** The entry that keeps qualifiers with a package, see {@link qualifiersKey}; none where all of them are empty. */
export function qualifiersEntry(qualifiers: Readonly<Record<string, string>>): readonly Entry[] {
  const stated = Object.keys(qualifiers)
    .sort()
    .flatMap((name) => (qualifiers[name] ? [`${name}=${encodeURIComponent(qualifiers[name].toWellFormed())}`] : []));
  return stated.length === 0 ? [] : [{ name: stated.join("&"), key: qualifiersKey }];
}

/** The qualifiers that are kept with a package; none where it has no such entry, or a malformed one, as a report from elsewhere may have. */
export function qualifiersOf(repositories: readonly Entry[]): Readonly<Record<string, string>> {
  const kept = repositories.find(({ key }) => key === qualifiersKey)?.name ?? "";
  const pairs = kept.split("&").map((pair) => /^([a-z]{1,20})=([\w.%~!*'()-]{1,500})$/.exec(pair));
  return Object.fromEntries(pairs.flatMap((pair) => (pair === null ? [] : [[pair[1] ?? "", decoded(pair[2] ?? "")]])));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
