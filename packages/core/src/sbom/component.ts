import { standardLibrary } from "../ecosystems/go/parts.ts";
import { isPlain, ownText, quoted } from "../ecosystems/linux/text.ts";
import { ScanError } from "../errors.ts";
import type { Distribution } from "../model/distribution.ts";
import { packageFacts } from "../model/index-report.ts";
import {
  candidateKey,
  developmentScope,
  type FoundPackage,
  languageKey,
  mainModuleKey,
  namePatternKey,
  type Package,
  scopeKey,
  thirdPartyKey,
  unknownCommit,
  unstatedKey,
} from "../model/package.ts";
import type { PackageDetails } from "../model/package-details.ts";
import { commonName, isPlaceholder } from "../model/package-name.ts";
import { type PackageUrl, parsePurl } from "../model/purl.ts";
import {
  isKnownPurlType,
  isSigningKey,
  ownReleaseOf,
  type PurlRecord,
  parseSource,
  purlRecord,
} from "../model/purl-record.ts";
import { nameWithoutCase } from "./name-without-case.ts";
import { ownedBy } from "./owners.ts";
import type { SbomPackage } from "./sbom.ts";
import type { StatedNeeds } from "./stated-bill.ts";
import { isMaker, type StatedMaker, thirdPartyOf } from "./third-party.ts";

type Release = Omit<Distribution, "id">;

/** One entry of a bill of materials, independent of the form of the document. A text is empty if the entry does not have it. */
export interface Component {
  readonly reference: string;
  readonly name: string;
  /** `org.apache.commons`, `@babel`, which CycloneDX separates from the name. */
  readonly group?: string;
  readonly version: string;
  readonly purl: string;
  readonly cpe: string;
  /** The source package, or the name of its rpm file, if the entry names it outside the package URL. */
  readonly source?: { readonly name: string; readonly version?: string };
  /** The epoch, if the entry states it beside the package URL: `1`, or `0` where there is none. */
  readonly epoch?: string;
  /** `name:stream` of a modular rpm. */
  readonly module?: string;
  /** Which of the operating systems of the document it is of, where it says that: `debian 12`. */
  readonly system?: string;
  /** The names of the distribution's packages that own the files of a language's package. */
  readonly owners?: readonly string[];
  /** Who made a package of a distribution, where that did not. */
  readonly thirdParty?: string;
  /** Who made a package, the distribution or others: its maintainer or vendor, as the package itself has it. */
  readonly maker?: string;
  /** The commit of the main module of a Go program, if the entry is that; or the path of the main module of the entry's program. */
  readonly mainModule?: string;
  /** Patterns, one of which matches the whole name of a Java archive whose group is not known. */
  readonly namePatterns?: readonly string[];
  /** Facts that the document from which the entry was taken does not state. */
  readonly unstated?: readonly string[];
  /** Set if the document lists it although the product does not need it at run time: for tests, or to develop with. */
  readonly isForDevelopment?: true | undefined;
  readonly locations: readonly string[];
  /** What it says about the package besides. */
  readonly details?: PackageDetails | undefined;
  /** Absent: it does not say. */
  readonly needs?: StatedNeeds | undefined;
}

/**
 * The package that an entry describes; undefined if it is not an installed package but an image, a source rpm or a key of rpm.
 * @param document the operating system that the document names
 * @throws ScanError `malformed_sbom` if it has no name, or a text of it cannot be stored; `malformed_purl`
 */
export function packageOfComponent(component: Component, document: Release | undefined): SbomPackage | undefined {
  const purl = component.purl === "" ? undefined : parsePurl(component.purl);
  if (purl !== undefined && (images.has(purl.type) || sourceArches.has(purl.qualifiers.arch ?? ""))) return undefined;
  if (purl !== undefined && isSigningKey(purl)) return undefined;
  const record = purl !== undefined && isKnownPurlType(purl.type) ? purlRecord(withEpoch(component, purl)) : undefined;
  const groups = record === undefined ? [] : otherGroups(record, component);
  const found = checked(
    record === undefined ? plainPackage(component) : withoutGroup(packageOf(record, component), groups),
  );
  const distribution = record && ownReleaseOf(purl?.type ?? "", releaseOf(record, document));
  const isUnnamed = purl?.type === "maven" && !found.name.includes(":") && isPlaceholder(purl.namespace ?? "");
  const patterns = new Set([
    ...(component.namePatterns ?? []),
    ...nameWithoutCase(purl?.type ?? "", found.name),
    ...(isUnnamed ? [`:${found.name.toLowerCase()}`] : []),
  ]);
  const described = {
    reference: component.reference,
    package: found,
    purl: component.purl || undefined,
    distribution,
    repositories: [
      ...(record?.repositories.map(withoutId) ?? []),
      ...makerOf(component, { type: purl?.type ?? "", version: found.version, maker: component.maker, distribution }),
      ...mainModuleOf(component, found),
      ...groups.map((group) => ({ name: `${group}:${found.name}`, key: candidateKey })),
      ...(groups.length === 0 ? [] : [{ name: `:${found.name}`, key: namePatternKey }]),
      ...[...patterns].map((name) => ({ name, key: namePatternKey })),
      ...unstatedOf(isUnnamed ? { unstated: [...(component.unstated ?? []), "group"] } : component),
      ...(component.isForDevelopment === true ? [{ name: developmentScope, key: scopeKey }] : []),
    ],
    locations: component.locations,
    statesMaker: statesMaker(component) ? (true as const) : undefined,
    details: component.details,
    needs: component.needs,
    statesEpoch: statesEpoch(component, purl) ? (true as const) : undefined,
  };
  const { owners } = component;
  return owners === undefined || document === undefined
    ? described
    : ownedBy(described, { owners, distribution: document });
}

/**
 * The package URL with the epoch that only the entry states: in its own version (`1:3.2.2-6` beside `pkg:rpm/almalinux/openssl-libs@3.2.2-6`), in a
 * property, or in the version of the source package, if that is the same.
 */
function withEpoch(
  { purl, version, epoch, source }: Component,
  { type, version: own = "", qualifiers }: PackageUrl,
): string {
  if (!epochTypes.has(type) || own === "" || /^\d+:/.test(own) || qualifiers.epoch !== undefined) return purl;
  const found = epochBefore(own, version) ?? epochIn(epoch) ?? epochBefore(own, source?.version);
  if (found === undefined) return purl;
  const [before = "", subpath] = purl.split("#", 2);
  const stated = `${before}${before.includes("?") ? "&" : "?"}epoch=${found}`;
  return subpath === undefined ? stated : `${stated}#${subpath}`;
}

/** `1` of `1:3.2.2-6`, if the rest is the version. */
function epochBefore(version: string, text = ""): string | undefined {
  const [, epoch, rest] = /^0*([1-9]\d{0,9}):(.+)$/.exec(text) ?? [];
  return rest === version ? epoch : undefined;
}

function epochIn(text = ""): string | undefined {
  return /^0*([1-9]\d{0,9})$/.exec(text)?.[1];
}

/** Whether the entry states that there is an epoch, or that there is none. */
function statesEpoch({ epoch = "" }: Component, purl: PackageUrl | undefined): boolean {
  return [epoch, purl?.qualifiers.epoch ?? ""].some((each) => /^\d{1,10}$/.test(each));
}

/** Types of packages whose versions may have an epoch. */
const epochTypes: ReadonlySet<string> = new Set(["alpm", "deb", "rpm"]);

/** Whether a package URL names a package that has advisories by its type, and not a program, an image or a repository of source code. */
export function isPackagePurl(purl: string): boolean {
  const type = purlType(purl);
  return type !== "generic" && isKnownPurlType(type);
}

/** The type of a package URL; empty for any other text. */
export function purlType(purl: string): string {
  return /^pkg:\/*([^/]+)/i.exec(purl)?.[1]?.toLowerCase() ?? "";
}

function statesMaker({ thirdParty, maker }: Component): boolean {
  return thirdParty !== undefined || isMaker(maker);
}

function makerOf({ thirdParty }: Component, stated: StatedMaker): SbomPackage["repositories"] {
  const name = thirdParty ?? thirdPartyOf(stated);
  return name === undefined ? [] : [{ name, key: thirdPartyKey }];
}

function unstatedOf({ unstated = [] }: Pick<Component, "unstated">): SbomPackage["repositories"] {
  return packageFacts.filter((fact) => unstated.includes(fact)).map((name) => ({ name, key: unstatedKey }));
}

/** The mark of a main module that is not a release; versions of others are judged as they are. */
function mainModuleOf({ mainModule = "" }: Component, { name }: FoundPackage): SbomPackage["repositories"] {
  if (commit.test(mainModule)) return [{ name: mainModule, key: mainModuleKey }];
  return mainModule === name ? [{ name: unknownCommit, key: mainModuleKey }] : [];
}

const commit = /^(?:\d{14}-[0-9a-f]{12}|unknown-commit)$/;

/** Types of package URLs that name an image. */
const images: ReadonlySet<string> = new Set(["docker", "oci"]);
const sourceArches: ReadonlySet<string> = new Set(["src", "nosrc"]);

function plainPackage({ name, group = "", version, cpe }: Component): FoundPackage {
  const full = group === "" ? name : `${group}/${name}`;
  return { name: full, version, kind: "BINARY", cpe: cpe || undefined };
}

function packageOf(record: PurlRecord, component: Component): FoundPackage {
  const { id: _, source, ...own } = record.package;
  const version = writtenVersion(record, own.version === "" ? component.version : own.version);
  const built = component.source === undefined ? source : builtFrom(component.source, { source, version });
  return {
    ...own,
    name: writtenName(record, component),
    version,
    module: own.module ?? component.module,
    cpe: component.cpe === "" ? own.cpe : component.cpe,
    source: built && { name: built.name, version: built.version, kind: "SOURCE" as const },
  };
}

/** A source without a version has that in the package URL, else the package's own. */
function builtFrom(
  { name, version }: NonNullable<Component["source"]>,
  own: { readonly source: Package | undefined; readonly version: string },
): Pick<Package, "name" | "version"> {
  if (version !== undefined) return { name, version };
  const stated = rpmFile.test(name) ? parseSource("rpm", name, own.version) : { name, version: own.version };
  return own.source?.name === stated.name ? own.source : stated;
}

const rpmFile = /\.(?:no)?src\.rpm$/;

/**
 * The name as the package itself has it: a canonical package URL has the path of a Go module in lower case, but Go paths are case-sensitive, and
 * `huggingface-hub` for the project `huggingface_hub`.
 */
function writtenName(record: PurlRecord, component: Component): string {
  const { name, group = "" } = component;
  const language = languageOf(record);
  const named = withGroup(record.package.name, component, language);
  const plain = (each: string) => commonName(language, each).toLowerCase();
  if (named !== plain(named)) return named;
  return [name, `${group}/${name}`, `${group}:${name}`].find((each) => plain(each) === named) ?? named;
}

/**
 * The name of a package URL without a namespace with the group of its entry: `pkg:maven/log4j-core@2.14.1` beside `org.apache.logging.log4j`. Groups of npm are
 * scopes, and those of Go begin with a host; others that tools write are no part of the name.
 */
function withGroup(named: string, { group = "" }: Component, language: string | undefined): string {
  const form = groups.get(language ?? "");
  if (form === undefined || named.includes(form.separator) || !form.isGroup.test(group) || isPlaceholder(group))
    return named;
  return `${group}${form.separator}${named}`;
}

const groups: ReadonlyMap<string, { readonly separator: string; readonly isGroup: RegExp }> = new Map([
  ["maven", { separator: ":", isGroup: /^[^\s:/]+$/ }],
  ["npm", { separator: "/", isGroup: /^@[^\s/]+$/ }],
  ["packagist", { separator: "/", isGroup: /^[^\s/]+$/ }],
  ["go", { separator: "/", isGroup: /^[^\s/.]+\.\S+$/ }],
]);

/** The groups of the package URL and of the entry of a Java archive, if they do not agree: neither is sure. */
function otherGroups(record: PurlRecord, { group = "" }: Component): readonly string[] {
  const [own, artifact] = record.package.name.split(":", 2);
  if (languageOf(record) !== "maven" || artifact === undefined || own === undefined) return [];
  return group === "" || isPlaceholder(group) || group.toLowerCase() === own.toLowerCase() ? [] : [own, group];
}

function withoutGroup(found: FoundPackage, others: readonly string[]): FoundPackage {
  return others.length === 0 ? found : { ...found, name: found.name.replace(/^[^:]*:/, "") };
}

/** Trivy writes `v1.26.4` for the version of Go's standard library, which is `go1.26.4` or `1.26.4` elsewhere. */
function writtenVersion(record: PurlRecord, version: string): string {
  const isGo = record.package.name === standardLibrary && languageOf(record) === "go";
  return isGo ? version.replace(/^(?:v|go)(?=\d)/, "") : version;
}

function languageOf({ repositories }: PurlRecord): string | undefined {
  return repositories.find(({ key }) => key === languageKey)?.name;
}

function withoutId<Value extends object>(value: Value & { readonly id: string }): Omit<Value, "id"> {
  const { id: _, ...rest } = value;
  return rest;
}

/** The release that the package URL names; the document's where it names none, or describes the same release. */
function releaseOf({ distribution, repositories }: PurlRecord, document: Release | undefined): Release | undefined {
  if (distribution === undefined) return repositories.length === 0 ? document : undefined; // a language has none
  if (document === undefined) return withoutId(distribution);
  if (distribution.did !== document.did) return withoutId(distribution);
  const { versionId, versionCodeName } = distribution;
  const isOther =
    (versionId !== undefined && versionId !== document.versionId && !isPackOf(document, versionId)) ||
    (versionCodeName !== undefined && versionCodeName !== document.versionCodeName);
  return isOther ? withoutId(distribution) : document;
}

/** Whether a release is a service pack of another: `22.03-LTS-SP3` of `22.03`. */
function isPackOf({ versionId = "" }: Release, other: string): boolean {
  return versionId.toLowerCase().startsWith(`${other}-lts`);
}

function checked(found: FoundPackage): FoundPackage {
  if (found.name === "") throw new ScanError("malformed_sbom", "expected a package with a name, found none");
  const { name, version, arch, module, cpe, source } = found;
  const odd = [name, version, arch, module, cpe, source?.name, source?.version].find((word = "") => !isPlain(word));
  if (odd !== undefined) throw new ScanError("malformed_sbom", `expected a short word, found ${quoted(odd)}`);
  return { ...found, name: ownText(name), version: ownText(version) };
}
