import { allDistributions } from "../../distributions/all.ts";
import type { OsvPart } from "../../distributions/shared/known-distribution.ts";
import type { PackageKind } from "../../model/package.ts";

/** An OSV ecosystem, translated. */
export interface OsvEcosystem {
  /** The key of advisories: `debian:12`, `PyPI`. */
  readonly key: string;
  /** Whether its records name source packages or binary packages. */
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

/** The first parts of the keys of an OSV ecosystem, before the release: `rhel` of `Red Hat`. */
export function osvKeyFamilies(ecosystem: string): readonly string[] {
  const name = osvFamily(ecosystem);
  if (!distributions.has(name)) return [name];
  return allDistributions
    .filter(({ osv = [] }) => [osv].flat().some((part) => part.ecosystem === name))
    .map(({ did }) => did);
}

/**
 * Translates an OSV ecosystem; undefined for a release that no image is matched with. Languages keep their OSV name.
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
