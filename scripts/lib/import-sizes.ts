import { posix } from "node:path";
import { build } from "esbuild";

/** The maximum size of a bundle that imports these names only, minified, in bytes. `*` are all names of a subpath. */
export interface ImportLimit {
  readonly specifier: string;
  readonly names: string;
  readonly maxBytes: number;
}

/** Where an import is resolved. */
export interface ImportPlace {
  readonly folder: string;
  /** `plimsoll-source` for the sources; none for what is published. */
  readonly conditions: readonly string[];
}

/** Kilobytes by subpath of `@plimsoll/core`. A subpath that is not listed has the last limit of its folder. */
const subpaths: Readonly<Record<string, number>> = {
  errors: 0.2,
  digest: 1,
  severity: 0.3,
  platform: 2,
  purl: 4,
  cpe: 4,
  diff: 7,
  plugins: 5,
  cvss: 5.3, // the equations, metrics and table of four versions
  image: 14,
  report: 20,
  versions: 32,
  vex: 68, // what states a range of versions is applied by the orders of versions
  match: 51,
  sbom: 160, // with a reader of XML, who makes packages of distributions, what other documents are, and what they say of needs and licences, with the SPDX list
  "versions/semver": 12, // with npm's package `semver`, whose loose grammar a copy could miss
  "versions/bitnami": 12,
  "versions/pub": 12,
  "versions/*": 3.5,
  "parsers/apk": 3.5,
  "parsers/dpkg": 5,
  "parsers/*": 18,
  "matchers/debian": 14,
  "matchers/ubuntu": 14,
  "matchers/alpine": 25, // with the keys of all distributions, as the next
  "matchers/*": 33,
};

/** Kilobytes of names of larger subpaths that cost less alone. */
const alone: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  "": {
    createEngine: 146, // with all enrichers, which read archives
    dpkg: 100,
    "createEngine, dpkg, indexSource, fromArchiveBlob, matchReport": 362, // without the feeds
  },
  digest: { digestHex: 0.2 },
  purl: { parsePurl: 3, formatPurl: 3 },
  cpe: { parseWfn: 2.2, formatCpe: 0.3, cpeMatches: 1.2 },
  cvss: { cvssScore: 5, cvssScores: 4.1, parseCvss: 2.3, cvssSeverity: 0.2 },
  versions: { sortVersions: 0.2 },
  image: { parseImageReference: 3, formatImageReference: 0.2 },
  report: { toIndexReportJson: 2, toVulnerabilityReportJson: 5, parseIndexReportJson: 11.5 },
  match: { compareRisk: 0.5, findRange: 1.6, indexRecords: 2, formatExplanation: 4, risksOf: 10, matchRecords: 13 },
  diff: { diffReports: 6.5 },
  sbom: { sbomReport: 24, purlReport: 41 }, // with the distributions, and what tells the makers of packages from them
  vex: { parseVex: 11 },
};

/** The limit of each subpath of `@plimsoll/core`, and of some names of large ones. @param paths the keys of its `exports` */
export function importLimits(paths: readonly string[]): readonly ImportLimit[] {
  const promised = paths.filter((path) => path !== "." && !path.includes("*") && path.split("/")[1] !== "internal");
  const whole = promised.map((path) => limitOf(path.slice("./".length)));
  const single = Object.entries(alone).flatMap(([subpath, names]) =>
    Object.entries(names).map(([name, kilobytes]) => ({
      specifier: posix.join("@plimsoll/core", subpath),
      names: `{ ${name} }`,
      maxBytes: kilobytes * 1000,
    })),
  );
  return [...whole, ...single];
}

function limitOf(subpath: string): ImportLimit {
  const kilobytes = subpaths[subpath] ?? subpaths[`${subpath.split("/")[0]}/*`];
  if (kilobytes === undefined)
    throw new Error(`expected a limit for ${subpath} in scripts/lib/import-sizes.ts, found none`);
  return { specifier: `@plimsoll/core/${subpath}`, names: "*", maxBytes: kilobytes * 1000 };
}

/** The imports that cost more than their limit, as messages. */
export async function tooLargeImports(limits: readonly ImportLimit[], place: ImportPlace): Promise<string[]> {
  const sizes = await Promise.all(limits.map((limit) => sizeOf(limit, place)));
  return limits.flatMap(({ specifier, names, maxBytes }, at) => {
    const size = sizes[at] ?? 0;
    if (size <= maxBytes) return [];
    return [`import ${names} of ${specifier} costs ${size} bytes, expected at most ${maxBytes}`];
  });
}

async function sizeOf({ specifier, names }: ImportLimit, { folder, conditions }: ImportPlace): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: `export ${names} from "${specifier}";`, resolveDir: folder },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: [...conditions],
  });
  return outputFiles.reduce((sum, { contents }) => sum + contents.length, 0);
}
