/**
 * `quarkus-app-dependencies.txt`, in which a build of Quarkus lists the archives that it has put into `lib/boot` and `lib/main`:
 *
 * ```
 * file = {GROUP ":" ARTIFACT ":" [classifier] ":" type ":" VERSION line-end}
 * ```
 * There, each archive is named `GROUP.ARTIFACT-VERSION[-classifier].type`, so that this list says where the group ends.
 * @see https://quarkus.io/guides/maven-tooling#build-tool-maven
 */
import type { Coalescer, EcosystemLayer, ImageView } from "../../plugins/coalescer.ts";
import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding, PackageFinding } from "../../plugins/finding.ts";
import { isArchiveName } from "./archive-name.ts";
import { type DeclaredArchives, findDeclared } from "./declared-archives.ts";
import { type Coordinates, isId, isVersion } from "./pom-properties.ts";

const fileName = "quarkus-app-dependencies.txt";
const maxFileBytes = 4 * 1024 ** 2;
/** The largest number of archives that are read; a large application has a few hundred. */
const maxArchives = 10_000;

/** Reads the list of a build of Quarkus. */
export const quarkusDependencies: FileDetector = {
  name: "quarkus-dependencies",
  revision: 1,
  ignoresArchives: true,
  names: { endings: [fileName] },
  wants: ({ path, sizeBytes }: FileEntry) =>
    (path === fileName || path.endsWith(`/${fileName}`)) && sizeBytes <= maxFileBytes,
  *detect({ path, bytes }: LayerFile): Iterable<Finding> {
    const lines = new TextDecoder().decode(bytes).split(/\r?\n/, maxArchives);
    const packages = lines.filter((line) => findArchive(line) !== undefined);
    if (packages.length > 0) yield { kind: "locked", path, packages };
  },
};

/** An archive of the list. */
interface ListedArchive extends Coordinates {
  readonly file: string;
}

function findArchive(line: string): ListedArchive | undefined {
  const [group = "", artifact = "", classifier = "", type = "", version = "", ...more] = line.split(":");
  if (more.length > 0 || !isId(group) || !isId(artifact) || !isVersion(version) || !isId(type)) return undefined;
  const file = `${group}.${artifact}-${version}${classifier === "" ? "" : `-${classifier}`}.${type}`;
  return { group, artifact, version, file };
}

/**
 * Wraps a coalescer so that an archive which a list in the finished image names gets its coordinates from there, and one that the model of the application
 * around it declares.
 */
export function withListedCoordinates(coalesce: Coalescer): Coalescer {
  return (layers, image) => {
    const lists = listsIn(layers, image);
    const named = (layer: EcosystemLayer): EcosystemLayer => {
      const declared = declaredBy(layer);
      if (lists.length === 0 && declared.size === 0) return layer;
      const findings = layer.findings.map((finding) =>
        finding.kind === "package" ? withDeclared(withCoordinates(finding, lists), declared) : finding,
      );
      return { ...layer, findings };
    };
    return coalesce(layers.map(named), image);
  };
}

function declaredBy({ findings }: EcosystemLayer): DeclaredArchives {
  const declared = new Map<string, readonly string[]>();
  for (const each of findings) {
    if (each.kind !== "locked" || !isArchiveName(each.path)) continue;
    declared.set(each.path, [...(declared.get(each.path) ?? []), ...each.packages]);
  }
  return declared;
}

function withDeclared(finding: PackageFinding, declared: DeclaredArchives): PackageFinding {
  const { package: found, ...more } = finding;
  const own = found.name.includes(":") ? undefined : findDeclared(finding, declared);
  if (own === undefined) return finding;
  const { candidates: _, namePatterns: __, ...rest } = more;
  return {
    ...rest,
    package: { ...found, name: `${own.group}:${own.artifact}`, version: own.version || found.version },
  };
}

/** The archives of one list, by the names of their files. */
interface ArchiveList {
  readonly folder: string;
  readonly archives: ReadonlyMap<string, ListedArchive>;
}

function listsIn(layers: readonly EcosystemLayer[], image: ImageView): readonly ArchiveList[] {
  return layers.flatMap(({ findings }, index) =>
    findings.flatMap((each) => {
      if (each.kind !== "locked" || !each.path.endsWith(fileName) || !image.survives(each.path, index)) return [];
      const archives = each.packages.flatMap((line) => findArchive(line) ?? []);
      const folder = each.path.slice(0, -fileName.length);
      return [{ folder, archives: new Map(archives.map((archive) => [archive.file, archive])) }];
    }),
  );
}

/** Only an archive itself has the name of a file, not what is in it. */
function withCoordinates(finding: PackageFinding, lists: readonly ArchiveList[]): PackageFinding {
  const { packageDb: path, file } = finding;
  if (file !== undefined) return finding;
  const name = path.slice(path.lastIndexOf("/") + 1);
  const list = lists.find(({ folder, archives }) => path.startsWith(folder) && archives.has(name));
  const listed = list?.archives.get(name);
  if (listed === undefined) return finding;
  const { name: found, version } = finding.package;
  const own = `${listed.group}:${listed.artifact}`;
  const { candidates: _, ...rest } = finding;
  if (!found.includes(":")) return { ...rest, package: { ...finding.package, name: own, version: listed.version } };
  if (found === own && version === listed.version) return finding;
  const others = [...(finding.otherIdentities ?? []), `${own} ${listed.version} by ${list?.folder}${fileName}`];
  return { ...finding, otherIdentities: others };
}
