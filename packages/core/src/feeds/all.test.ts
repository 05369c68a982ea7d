import { describe, expect, it } from "vitest";
import { allDistributions } from "../distributions/all.ts";
import { allUpdaters } from "./all.ts";
import { defaultEcosystems } from "./default-ecosystems.ts";
import { defaultOsvEcosystems } from "./osv/updater.ts";

const languages = new Set([...defaultOsvEcosystems, "Bitnami", "cpe"]);
const distributions = new Set(allDistributions.map(({ did }) => did));
const inScope = new Set(allUpdaters.flatMap(({ scope }) => Object.keys(scope?.partBytes ?? {})));

describe("allUpdaters", () => {
  it.each(allUpdaters.map(({ name, scope }) => ({ name, scope })))("$name says whose images need it", ({ scope }) => {
    const named = Object.keys(scope?.partBytes ?? {});

    expect(named).not.toEqual([]);
    expect(named.filter((name) => !distributions.has(name) && !languages.has(name))).toEqual([]);
  });

  it("has a feed for each ecosystem that is fetched by default", () => {
    expect([...defaultEcosystems].filter((name) => !inScope.has(name))).toEqual([]);
  });

  it.each(allDistributions.filter(({ advisoryKey }) => advisoryKey !== undefined))("has a feed for $did", (known) => {
    const keys = ["2", "7.9", "12.1", "22.03"].map((versionId) =>
      known.advisoryKey?.({ did: known.did, versionId }, []),
    );
    const families = new Set(keys.flatMap((key) => key?.split(":", 1) ?? []));

    expect(families.size).toBeGreaterThan(0);
    expect([...families].filter((family) => !inScope.has(family))).toEqual([]);
  });
});
