/**
 * An update in the `updateinfo.xml` of an rpm repository.
 *
 * ```
 * update     = id title? release? issued? severity? description? references? pkglist
 * references = reference*                     href, id, title, type "cve", "bugzilla" …
 * pkglist    = collection*
 * collection = module? package*               module: name, stream; package: name, epoch, version, release, arch
 * ```
 * @see https://github.com/openSUSE/libsolv/blob/master/ext/repo_updateinfoxml.c
 */
import type { Advisory, ArchCondition } from "../../model/advisory.ts";
import { malformedRecord, type ReadPart } from "../shared/malformed-feed.ts";
import { normalizeSeverity } from "../shared/vendor-severity.ts";
import { childrenNamed, childText, findChild, type XmlElement } from "../shared/xml-elements.ts";

/** The differences between the updates of vendors. */
export interface UpdateVendor {
  /** The name of the updater. */
  readonly updater: string;
  /** The key of the advisories of an update; undefined for a release that no image is matched with. */
  ecosystemOf(update: UpdateNames): string | undefined;
  /** Whether an index lists only the packages of its own architecture; their versions are then used for all architectures. */
  readonly listsOneArch: boolean;
  /** The release of a fix that stands for each release of the version; absent where a fix names its own release. */
  readonly anyRelease?: string;
}

/** The members of an update that contain its release. */
export interface UpdateNames {
  readonly id: string;
  /** The name of the release: `Fedora 41`. */
  readonly release: string | undefined;
}

/**
 * The advisories of an update: one for each version of each package. None where the update fixes no vulnerability. A malformed
 * package is skipped.
 * @throws ScanError `malformed_feed` where the update has no id
 */
export function updateAdvisories(update: XmlElement, vendor: UpdateVendor, readPart: ReadPart): readonly Advisory[] {
  const name = childText(update, "id");
  if (name === undefined) throw malformedRecord("an update without an id");
  const ecosystem = vendor.ecosystemOf({ id: name, release: childText(update, "release") });
  const facts = factsOf(update, name, vendor);
  const isSecurity = update.attributes.type === "security" || facts.aliases.length > 0;
  if (ecosystem === undefined) return readPart.leaveOut("other-ecosystem");
  if (!isSecurity) return readPart.leaveOut("no-security-fix");
  const builds = new Map<string, Build>();
  for (const collection of childrenNamed(findChild(update, "pkglist"), "collection")) {
    const module = moduleOf(collection);
    for (const listed of childrenNamed(collection, "package")) {
      const build = readPart(() => readBuild(listed, module, vendor));
      if (build !== undefined) addBuild(builds, build);
    }
  }
  return [...builds].map(([key, build]) => ({
    id: [vendor.updater, name, ecosystem, key].join("/"),
    updater: vendor.updater,
    ...facts,
    ecosystem,
    packageName: build.packageName,
    packageKind: "BINARY",
    module: build.module,
    ...(vendor.listsOneArch ? {} : archOf(build.archs)),
    status: "affected",
    ranges: [{ fixed: build.fixed }],
    versions: [],
  }));
}

/** A version of a package with a fix, for some architectures. */
interface Build {
  readonly packageName: string;
  readonly module: string | undefined;
  readonly fixed: string;
  readonly archs: readonly string[];
}

function readBuild(
  { attributes }: XmlElement,
  module: string | undefined,
  { anyRelease }: UpdateVendor,
): Build | undefined {
  const { name, epoch = "0", version, release, arch } = attributes;
  if (!name || !version || !release) {
    throw malformedRecord(`a package without name, version or release: ${JSON.stringify(attributes)}`);
  }
  if (arch === "src" || arch === "nosrc") return undefined;
  const prefix = epoch === "0" || epoch === "" ? "" : `${epoch}:`;
  const fixed = release === anyRelease ? `${prefix}${version}` : `${prefix}${version}-${release}`;
  return { packageName: name, module, fixed, archs: arch ? [arch] : [] };
}

function addBuild(builds: Map<string, Build>, build: Build): void {
  const key = [build.packageName, build.fixed, ...(build.module === undefined ? [] : [build.module])].join("/");
  const archs = [...new Set([...(builds.get(key)?.archs ?? []), ...build.archs])].sort();
  builds.set(key, { ...build, archs });
}

/** The module of a collection; undefined where it has none. */
function moduleOf(collection: XmlElement): string | undefined {
  const { name, stream } = findChild(collection, "module")?.attributes ?? {};
  return name && stream ? `${name}:${stream}` : undefined;
}

function archOf(archs: readonly string[]): { readonly arch?: ArchCondition } {
  const [only] = archs;
  if (only === undefined) return {};
  if (archs.length === 1) return { arch: { operation: "equals", value: only } };
  return { arch: { operation: "pattern match", value: archs.join("|") } };
}

/** The common members of all advisories of an update. */
type Facts = Pick<
  Advisory,
  "name" | "aliases" | "description" | "issuedAt" | "links" | "severity" | "normalizedSeverity"
>;

const cvePattern = /\bCVE-\d{4}-\d{4,}\b/g;

/** The distinct CVE ids in texts. */
export function cveIdsIn(texts: readonly string[]): readonly string[] {
  return [...new Set(texts.flatMap((text) => text.match(cvePattern) ?? []))];
}

function factsOf(update: XmlElement, name: string, vendor: UpdateVendor): Facts {
  const references = childrenNamed(findChild(update, "references"), "reference").map(({ attributes }) => attributes);
  const severity = childText(update, "severity");
  const description = childText(update, "description");
  const issuedAt = instantOf(findChild(update, "issued")?.attributes.date);
  const links = references.flatMap(({ href }) => (href !== undefined && /^https?:\/\//.test(href) ? [href] : []));
  return {
    name,
    aliases: cveIdsIn(references.map(({ id = "", title = "" }) => `${id} ${title}`)),
    description,
    issuedAt,
    links: [...new Set(links)],
    severity,
    normalizedSeverity: normalizeSeverity(vendor.updater, severity),
  };
}

/** The instant of `2023-02-17 20:41`, with or without seconds, in UTC; undefined for another text. */
export function instantOf(date: string | undefined): number | undefined {
  const [, day, time = "00:00"] = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2})?))?/.exec(date ?? "") ?? [];
  const instant = Date.parse(`${day}T${time}Z`);
  return Number.isNaN(instant) ? undefined : instant;
}
