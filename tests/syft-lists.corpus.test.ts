/** Real images: what Syft lists and we do not, and the other way round, is a table with the reason for each line. */
import { existsSync, globSync } from "node:fs";
import { basename, join } from "node:path";
import { fromArchive, index } from "@plimsoll/scanner";
import { toCycloneDx } from "@plimsoll/scanner/formats";
import { findCorpus } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { type Difference, knownDifferences } from "./fixtures/syft-differences.ts";
import { plainPurl, syftPackages, syftProgram } from "./support/syft.ts";

const corpus = findCorpus();
const images = corpus === undefined ? "" : join(corpus, "data", "images");

/** Packages of an archive for several platforms: Syft asks which, and takes none of an archive. The odd image is no docker archive. */
const unreadable = ["alpine-3.20.3-multiarch", "odd-visible"];

interface Bom {
  readonly components?: readonly { readonly purl?: string }[];
}

async function ourPackages(archive: string): Promise<readonly string[]> {
  const bom = toCycloneDx(await index(fromArchive(archive)), { toolVersion: "0", createdAt: 0 }) as Bom;
  return (bom.components ?? []).flatMap(({ purl }) => (purl === undefined ? [] : [plainPurl(purl)])).sort();
}

function differences(ours: readonly string[], theirs: readonly string[]): Omit<Difference, "why">[] {
  const [known, given] = [new Set(ours), new Set(theirs)];
  return [
    ...[...known].filter((purl) => !given.has(purl)).map((purl) => ({ only: "plimsoll" as const, purl })),
    ...[...given].filter((purl) => !known.has(purl)).map((purl) => ({ only: "syft" as const, purl })),
  ];
}

describe.skipIf(corpus === undefined || syftProgram === "")("index beside Syft (PLIMSOLL_TEST_SYFT)", () => {
  const archives = globSync(`${images}/*/*.tar`)
    .map((archive) => ({ archive, name: basename(archive, ".tar") }))
    .filter(({ archive, name }) => existsSync(archive) && !unreadable.includes(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1));

  it.each(archives)("$name has the same packages but for what is named", async ({ archive, name }) => {
    const found = differences(await ourPackages(archive), syftPackages(archive));

    expect(found).toEqual((knownDifferences[name] ?? []).map(({ only, purl }) => ({ only, purl })));
  });
});
