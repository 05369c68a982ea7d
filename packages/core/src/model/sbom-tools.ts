/**
 * The tools that write package URLs and bills of materials, and where each writes the facts about a package that advisories need.
 *
 * A fact may be in a qualifier of the package URL, in a property of the entry, or nowhere. A tool that states a fact wherever it exists proves by
 * its silence that it does not exist.
 */
import type { PackageFact } from "./index-report.ts";

/**
 * A fact that a document may leave out although the package has it. `version`: that the package is the main module of a Go program which was not built
 * as a release (`mainModuleKey`).
 */
export type OptionalFact = Extract<PackageFact, "group" | "source" | "epoch" | "owner" | "maker" | "version">;

/** Names of qualifiers of a package URL. */
interface Qualifiers {
  /** The source package: a name, a name with `@` and a version, or the name of an rpm file. */
  readonly source?: readonly string[];
  /** The version of the source package. */
  readonly sourceVersion?: string;
  /** The label of the rpm's module. */
  readonly module?: string;
  /** The distribution and its release, apart. */
  readonly release?: { readonly id: string; readonly versions: readonly string[] };
}

/** Names of properties of an entry: those of CycloneDX, annotations of SPDX, members of the metadata in Syft's form. */
export interface ToolProperties {
  /** The name of the source package, or of its rpm file. */
  readonly source?: string;
  /** The version of the source package; absent where `source` is all that is written. */
  readonly sourceVersion?: string;
  readonly sourceRelease?: string;
  readonly sourceEpoch?: string;
  /** The epoch of the package itself. */
  readonly epoch?: string;
  /** The label of the rpm's module. */
  readonly module?: string;
  /** Which of the operating systems of the document the package is of, where there are several: `debian 12`. */
  readonly system?: string;
  /** The names of the distribution's packages that own the files of a language's package, one a property. */
  readonly owner?: string;
  /** Who made a package of a distribution, where that did not. */
  readonly thirdParty?: string;
  /** Of a main module of a Go program that is no release, its commit (`mainModuleKey`). Of any module of a program, the path of the main module. */
  readonly mainModule?: string;
  /** The patterns for the name of a package whose whole name is not known, one a property: see `namePatternKey`. */
  readonly namePattern?: string;
  /** That the product does not need the package at run time, where the form of the document has no member for that: any value. */
  readonly development?: string;
  /** The facts that the document from which the entry was taken does not state, one a property: see `unstatedKey`. */
  readonly unstated?: string;
}

/** The forms of documents. */
type Form = "CycloneDX" | "SPDX" | "Syft";

/** One tool. */
interface SbomTool {
  /** How documents name it; absent where its documents name another tool, or none. */
  readonly named?: RegExp;
  readonly qualifiers?: Qualifiers;
  readonly properties?: readonly ToolProperties[];
  /** The facts that it states wherever they exist. */
  readonly states: readonly OptionalFact[];
  /** Whether it takes the name of a Java archive for its Maven group where that is not known. */
  readonly guessesGroups?: true;
  /** The facts that it states wherever they exist, but only in documents of these forms. */
  readonly statesIn?: Readonly<Partial<Record<Form, readonly OptionalFact[]>>>;
  /**
   * The packages whose owners it states wherever they exist, by the types of package URLs, all if `of` is absent; the forms of documents, if not in
   * all. Absent where that is in `states`, or for none.
   */
  readonly statesOwners?: {
    readonly of?: readonly string[];
    readonly by: readonly string[];
    readonly in?: readonly Form[];
  };
}

/** The tools. Names of qualifiers and properties are looked for in this order. */
export const sbomTools = {
  plimsoll: {
    named: /\bplimsoll\b/i,
    qualifiers: { source: ["upstream"], module: "rpmmod" },
    properties: [
      {
        source: "plimsoll:source-package",
        sourceVersion: "plimsoll:source-version",
        module: "plimsoll:module",
        system: "plimsoll:distribution",
        owner: "plimsoll:distribution-package",
        thirdParty: "plimsoll:third-party",
        mainModule: "plimsoll:main-module",
        namePattern: "plimsoll:name-pattern",
        development: "plimsoll:development",
        unstated: "plimsoll:unstated",
      },
    ],
    states: ["group", "source", "epoch", "owner", "maker", "version"],
  },
  /**
   * Lists no package of a language whose own file a package of the distribution owns. It knows the files of Debian packages by their `md5sums`, which not
   * each of them has, and no owner of a list that has many packages in one file.
   */
  trivy: {
    named: /^(?:tool:\s*)?(?:aquasecurity[/ -])?trivy(?:[-@ ]v?\d[\w.+-]*)?$/i,
    qualifiers: { module: "modularitylabel" },
    properties: [trivyUnder("aquasecurity:trivy:")],
    states: ["group", "epoch", "maker"], // it writes the source of every package of a distribution, so that one without it has lost it
    statesOwners: { of: ["conda", "gem", "golang", "maven", "npm", "pypi"], by: ["apk", "rpm"] },
  },
  /** Runs Trivy for packages of distributions, and lists their source packages as entries (`sbom/cyclonedx.ts`). */
  cdxgen: {
    named: /\bcdxgen\b/i,
    properties: [trivyUnder("")], // older versions shorten the names
    states: ["group"],
  },
  /** Knows the files of Debian packages by their `md5sums`, too. */
  syft: {
    named: /^(?:tool:\s*)?(?:anchore[/ -])?syft(?:[-@ ](?:v?\d[\w.+-]*|\[not provided\]))?$/i,
    qualifiers: { source: ["upstream"], module: "rpmmod" },
    properties: [
      {
        source: "syft:metadata:source",
        sourceVersion: "syft:metadata:sourceVersion",
        epoch: "syft:metadata:epoch",
        module: "syft:metadata:modularityLabel",
      },
      { source: "syft:metadata:originPackage" },
      { source: "syft:metadata:sourceRpm" },
      { mainModule: "syft:metadata:mainModule" },
    ],
    states: ["source", "epoch", "maker"],
    guessesGroups: true,
    statesIn: { CycloneDX: ["version"], Syft: ["version"] },
    statesOwners: { by: ["alpm", "apk", "ebuild", "rpm"], in: ["SPDX", "Syft"] },
  },
  /** Find packages with Syft, and write the package URLs that it has made. */
  syftInside: {
    named:
      /^(?:tool:\s*)?(?:anchore[/ -])?(?:anchorectl|docker[- ]sbom|grype)(?:[-@ ](?:v?\d[\w.+-]*|\[not provided\]))?$/i,
    states: [],
    guessesGroups: true,
  },
  scalibr: {
    named: /\b(?:osv-)?scalibr\b/i,
    qualifiers: { source: ["source", "origin", "sourcerpm"], sourceVersion: "sourceversion" },
    states: ["source", "epoch"],
  },
  /** Its entries are source packages, or packages whose source is not stated. */
  dockerScout: {
    named: /\bdocker[- ]?scout\b/i,
    qualifiers: { release: { id: "os_name", versions: ["os_version", "os_distro"] } },
    states: [],
  },
  /** Its own documents; those of its builds are Syft's. The release is in `repository_id`. */
  redHat: { qualifiers: { source: ["upstream", "source_rpm"], module: "rpmmod" }, states: [] },
  /** Does not state from which package Wolfi's and Alpine's packages were built. */
  apko: { named: /\bapko\b/i, states: [] },
  /** Names packages of distributions without a release and a source. */
  microsoft: { named: /\bmicrosoft\.sbomtool\b/i, states: ["group"] },
  /** The dependency graph lists packages of languages. */
  gitHub: { named: /\bgithub\.com-dependency-graph\b/i, states: ["group"] },
  /** Plug-ins of Maven, Gradle and sbt know the packages by the build. */
  javaBuilds: { named: /\b(?:cyclonedx|spdx)[- ](?:gradle|maven|sbt)[- ]plugin\b|\bsbt-sbom\b/i, states: ["group"] },
} as const satisfies Readonly<Record<string, SbomTool>>;

function trivyUnder(prefix: string): ToolProperties {
  return {
    source: `${prefix}SrcName`,
    sourceVersion: `${prefix}SrcVersion`,
    sourceRelease: `${prefix}SrcRelease`,
    sourceEpoch: `${prefix}SrcEpoch`,
    epoch: `${prefix}Epoch`,
    module: `${prefix}Modularitylabel`,
  };
}

const rows: readonly SbomTool[] = Object.values(sbomTools);

/**
 * Types of package URLs that tools use beside those of the specification, with the type that means the same and the namespace: Syft and Docker
 * Scout wrote `pkg:alpine/busybox` before there was `apk`, Trivy writes `pkg:bottlerocket/kernel`.
 */
export const toolPurlTypes: ReadonlyMap<string, { readonly type: string; readonly namespace: string }> = new Map([
  ["alpine", { type: "apk", namespace: "alpine" }],
  ["bottlerocket", { type: "rpm", namespace: "bottlerocket" }],
]);

/** Names that tools have for packages, by type and name: cyclonedx-gomod and cdxgen name Go's standard library `pkg:golang/std@v1.20.0`, others `pkg:golang/go@1.20`. */
export const toolPurlNames: ReadonlyMap<string, string> = new Map([
  ["golang/go", "stdlib"],
  ["golang/std", "stdlib"],
]);

/** The names of qualifiers of all tools. */
export const toolQualifiers = {
  sources: distinct(rows.flatMap(({ qualifiers }) => qualifiers?.source ?? [])),
  sourceVersions: distinct(rows.flatMap(({ qualifiers }) => qualifiers?.sourceVersion ?? [])),
  modules: distinct(rows.flatMap(({ qualifiers }) => qualifiers?.module ?? [])),
  releases: rows.flatMap(({ qualifiers }) => qualifiers?.release ?? []),
} as const;

/** The names of properties of all tools. */
export const toolProperties: readonly ToolProperties[] = rows.flatMap(({ properties = [] }) => properties);

function distinct(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}

/**
 * What only wraps, signs or completes documents of other tools, and lists no packages of its own.
 * @see https://docs.docker.com/build/metadata/attestations/sbom/ for the two creators of its documents
 */
const listsNothing = /^(?:tool:\s*)?(?:buildkit|parlay)\b/i;

/** What the silence of a document proves. */
export interface SilenceProof {
  /** Whether it proves that a package of a type has no such fact. */
  isProven(fact: OptionalFact, type: string): boolean;
  /** Whether several tools listed the packages, so that one which has a fact shows nothing about the others. */
  readonly hasSeveral: boolean;
  /** Whether one of the tools is known to take the names of Java archives for Maven groups. */
  readonly guessesGroups: boolean;
}

/** What made a document, as far as it matters for what the document states. */
export interface DocumentMaking {
  /** The names of the tools that made it, as it has them. */
  readonly tools: readonly string[];
  /** Some tools state less in CycloneDX. */
  readonly form: Form;
  /** The types of package URLs of the distribution's packages in it. */
  readonly systems: readonly string[];
}

/**
 * Makes the test which facts do not exist where a document does not state them. An entry does not say which of several tools found it, so all of them have
 * to prove it: also one that is not known, which proves nothing.
 */
export function provenBySilence({ tools, form, systems }: DocumentMaking): SilenceProof {
  const listing = tools.filter((tool) => tool !== "" && !listsNothing.test(tool));
  const made = new Set<SbomTool | string>(listing.map((tool) => rows.find(({ named }) => named?.test(tool)) ?? tool));
  const makers =
    made.size === 0 ? [unknownTool] : [...made].map((each) => (typeof each === "string" ? unknownTool : each));
  const isProvenBy = (tool: SbomTool, fact: OptionalFact, type: string): boolean => {
    if (fact === "group" && type === "golang") return tool !== unknownTool; // no known tool cuts the paths of modules
    if ([...tool.states, ...(tool.statesIn?.[form] ?? [])].includes(fact)) return true;
    const { of = [type], by, in: forms = [form] } = (fact === "owner" && tool.statesOwners) || { by: [], of: [] };
    return of.includes(type) && forms.includes(form) && systems.every((each) => by.includes(each));
  };
  return {
    isProven: (fact, type) => makers.every((tool) => isProvenBy(tool, fact, type)),
    hasSeveral: makers.length > 1,
    guessesGroups: makers.some((tool) => tool.guessesGroups === true),
  };
}

const unknownTool: SbomTool = { states: [] };
