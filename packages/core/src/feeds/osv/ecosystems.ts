import { allDistributions } from "../../distributions/all.ts";
import type { OsvPart } from "../../distributions/shared/known-distribution.ts";
import type { PackageKind } from "../../model/package.ts";

/** What an OSV ecosystem means here. */
export interface OsvEcosystem {
  /** The key of advisories: `debian:12`, `PyPI`. */
  readonly key: string;
  /** What the names of its packages are: those of sources or of what is installed. */
  readonly kind: PackageKind;
}

const distributions: ReadonlyMap<string, readonly OsvPart[]> = Map.groupBy(
  allDistributions.flatMap(({ osv = [] }) => osv),
  ({ ecosystem }) => ecosystem,
);

/** The name of an OSV ecosystem without its release: `Ubuntu` of `Ubuntu:22.04:LTS`. */
export function osvFamily(ecosystem: string): string {
  return ecosystem.split(":", 1)[0] ?? ecosystem;
}

/** How the keys of an OSV ecosystem begin, before the release: `rhel` of `Red Hat`. */
export function osvKeyFamilies(ecosystem: string): readonly string[] {
  const name = osvFamily(ecosystem);
  if (!distributions.has(name)) return [name];
  return allDistributions
    .filter(({ osv = [] }) => [osv].flat().some((part) => part.ecosystem === name))
    .map(({ did }) => did);
}

/**
 * What an OSV ecosystem means here; undefined for a release that nothing here is matched with. Languages keep their OSV
 * name.
 * @see https://ossf.github.io/osv-schema/#defined-ecosystems
 */
export function findOsvEcosystem(ecosystem: string): OsvEcosystem | undefined {
  const name = osvFamily(ecosystem);
  const parts = distributions.get(name);
  if (parts === undefined) return { key: name, kind: "BINARY" };
  const suffix = ecosystem.slice(name.length + 1);
  for (const { kind, keyOf } of parts) {
    const key = keyOf(suffix);
    if (key !== undefined) return { key, kind };
  }
  return undefined;
}
