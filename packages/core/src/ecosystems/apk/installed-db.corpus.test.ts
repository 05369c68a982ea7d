import { readdirSync, readFileSync } from "node:fs";
import { findCorpus } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { detectIn } from "../linux/fixtures/layer-files.ts";
import { apkDetector } from "./detector.ts";
import { parseApkInstalled } from "./installed-db.ts";

const corpus = findCorpus();
const folder = `${corpus}/data/packagedbs/apk`;

interface Expected {
  readonly count: number;
  readonly packages: readonly { readonly name: string }[];
}

describe.skipIf(corpus === undefined)("parseApkInstalled", () => {
  const names = corpus === undefined ? [] : readdirSync(folder);

  it.each(names)("lists %s as apk does", (name) => {
    const expected: Expected = JSON.parse(readFileSync(`${folder}/${name}/expected.json`, "utf8"));

    const { packages, problems } = parseApkInstalled(readFileSync(`${folder}/${name}/lib/apk/db/installed`));

    expect(problems.count).toBe(0);
    expect(packages).toHaveLength(expected.count);
    const shown = packages.map(({ name, version, arch, origin, license }) => ({
      name,
      version,
      arch,
      origin,
      license,
    }));
    expect(sorted(shown)).toEqual(sorted(expected.packages));
    expect(packages.flatMap(({ files }) => files).length).toBeGreaterThan(0);
  });
});

describe.skipIf(corpus === undefined)("apkDetector", () => {
  it.each<[file: string, packages: string[], problems: number]>([
    ["generated/apk/no-blank-line-at-end/installed", ["a 1-r0"], 0],
    ["generated/apk/no-name/installed", ["b 2-r0"], 1],
    ["peers/google+osv-scalibr/extractor/filesystem/os/apk/invalid", [], 1],
  ])("reads the damaged database %s", (file, packages, problems) => {
    const bytes = new Uint8Array(readFileSync(`${corpus}/data/bad/${file}`));

    const findings = detectIn(apkDetector, { "lib/apk/db/installed": bytes });

    const shown = findings.flatMap((found) =>
      found.kind === "package" ? [`${found.package.name} ${found.package.version}`] : [],
    );
    expect(shown).toEqual(packages);
    expect(findings.filter((found) => found.kind === "problem")).toHaveLength(problems);
  });
});

function sorted<Item extends { readonly name: string }>(packages: readonly Item[]): Item[] {
  return packages.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
