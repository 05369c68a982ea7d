/** Real images: what Syft lists and we do not, and the other way round, is a table with the reason for each line. */
import { existsSync, globSync } from "node:fs";
import { basename, join } from "node:path";
import { fromArchive, index } from "@plimsoll/scanner";
import { toCycloneDx } from "@plimsoll/scanner/formats";
import { findCorpus } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { plainPurl, syftPackages, syftProgram } from "./support/syft.ts";
import { knownDifferences } from "./support/syft-differences.ts";

const corpus = findCorpus();
const images = corpus === undefined ? "" : join(corpus, "data", "images");
const builtImages = process.env.PLIMSOLL_TEST_IMAGES ?? "";

/** Archives of which Syft cannot choose an image, or that it does not take for archives of images. */
const unread = new Set(["alpine-3.20.3-multiarch", "npm-node-modules-only", "odd-visible"]);

interface Bom {
  readonly components?: readonly { readonly purl?: string }[];
}

async function ourPackages(archive: string): Promise<readonly string[]> {
  const { source, reference, report } = await index(fromArchive(archive));
  const bom = toCycloneDx({ source, reference, index: report }, { toolVersion: "0", createdAt: 0 }) as Bom;
  return (bom.components ?? []).flatMap(({ purl }) => (purl === undefined ? [] : [plainPurl(purl)])).sort();
}

/** What only one of the two lists, as `syft: PURL`. */
function differences(ours: readonly string[], theirs: readonly string[]): readonly string[] {
  const [known, given] = [new Set(ours), new Set(theirs)];
  const onlyOurs = [...known].filter((purl) => !given.has(purl)).map((purl) => `plimsoll: ${purl}`);
  const onlyTheirs = [...given].filter((purl) => !known.has(purl)).map((purl) => `syft: ${purl}`);
  return [...onlyOurs, ...onlyTheirs].sort();
}

describe.skipIf(corpus === undefined || syftProgram === "")("index beside Syft (PLIMSOLL_TEST_SYFT)", () => {
  const archives = [...globSync(`${images}/*/*.tar`), join(builtImages, "debian-bookworm-web.tar")]
    .filter((archive) => existsSync(archive))
    .map((archive) => ({ archive, name: basename(archive, ".tar") }))
    .filter(({ name }) => !unread.has(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1));

  it.each(archives)("$name has the same packages but for those that are named", async ({ archive, name }) => {
    const found = differences(await ourPackages(archive), syftPackages(archive));

    const named = (knownDifferences[name] ?? []).flatMap(({ lines }) => lines);
    expect(found).toEqual([...named].sort());
  });
});
