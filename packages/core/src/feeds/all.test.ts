import { describe, expect, it } from "vitest";
import { allDistributions } from "../distributions/all.ts";
import { allUpdaters } from "./all.ts";
import { defaultEcosystems } from "./default-ecosystems.ts";
import { defaultOsvEcosystems } from "./osv/updater.ts";

const languages = new Set([...defaultOsvEcosystems, "Bitnami", "cpe"]);
const distributions = new Set(allDistributions.map(({ did }) => did));

describe("allUpdaters", () => {
  it.each(allUpdaters.map(({ name, scope }) => ({ name, scope })))("$name says whose images need it", ({ scope }) => {
    const named = Object.keys(scope?.partBytes ?? {});

    expect(named).not.toEqual([]);
    expect(named.filter((name) => !distributions.has(name) && !languages.has(name))).toEqual([]);
  });

  it("has a feed for each ecosystem that is fetched by default", () => {
    const named = new Set(allUpdaters.flatMap(({ scope }) => Object.keys(scope?.partBytes ?? {})));

    expect([...defaultEcosystems].filter((name) => !named.has(name))).toEqual([]);
  });
});
