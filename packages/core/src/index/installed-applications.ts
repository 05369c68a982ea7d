import { lockedName } from "../ecosystems/language/locked-packages.ts";
import { joinPath, nameOf, parentOf } from "../layer/paths.ts";
import type { EcosystemLayer, ImageView } from "../plugins/coalescer.ts";
import type { Finding, LinkFinding, ListingFinding, PackageFinding } from "../plugins/finding.ts";
import { fileOf } from "./owned-files.ts";

/** The part of the packages that an application names that have to be found: some are for other platforms. */
const sufficientPart = 0.5;

/**
 * Tests whether an application is installed in the finished image. Its dependencies are: in one of its folders, in a file that a document of these
 * paths lists, or, by their names, anywhere. Or the application itself is: a link leads to its folder, or it is a member of a workspace whose
 * dependencies are installed.
 */
export function applicationTest(
  layers: readonly EcosystemLayer[],
  image: ImageView,
): (application: PackageFinding) => boolean {
  const found = findingsIn(layers, image);
  if (found.applications.length === 0) return () => false;
  const { resolve } = image;
  const folders = installedFolders(found, resolve);
  const isInFolder = (application: PackageFinding) => foldersThatInstall(application).some((each) => folders.has(each));
  const places = placesWithPackages({ ...found, installed: found.applications.filter(isInFolder) }, resolve);
  const names = new Set(found.packages.map((finding) => comparableName(finding.package.name)));
  const hasVersion = versionTest(found);
  const files = new Set(found.packages.map(fileOf));
  return (application) => {
    const { dependenciesIn = [], dependencies = [], dependencyFolders } = application;
    if (application.package.version === "" && hasVersion(application)) return false;
    if (isInFolder(application)) return true;
    if (dependenciesIn.some((place) => places.has(resolve(place)))) return true;
    const isThere = (name: string) =>
      dependencyFolders === undefined
        ? names.has(comparableName(name))
        : dependencyFolders.some((folder) =>
            files.has(`${resolve(joinPath(folder, name))}/${nameOf(application.packageDb)}`),
          );
    const there = dependencies.filter(isThere);
    return there.length > 0 && there.length >= sufficientPart * dependencies.length;
  };
}

/** Makes the test whether an application that does not state its version is known with one: it is installed, or another file beside it states it. */
function versionTest({ packages, applications }: FoundInImage): (application: PackageFinding) => boolean {
  const keyOf = (found: PackageFinding, folder: string) => `${comparableName(found.package.name)}\0${folder}`;
  const stated = ({ package: { version } }: PackageFinding) => version !== "";
  const known = new Set([
    ...packages.filter(stated).map((each) => keyOf(each, "")),
    ...applications.filter(stated).map((each) => keyOf(each, `in ${parentOf(each.packageDb)}`)),
  ]);
  return (application) =>
    known.has(keyOf(application, "")) || known.has(keyOf(application, `in ${parentOf(application.packageDb)}`));
}

/** The folder of an application, the folder of packages that it is in, and that of the scope which it is in: `opt/packages/@scope/name`. */
function foldersThatInstall({ packageDb }: PackageFinding): readonly string[] {
  const own = parentOf(packageDb);
  const outer = parentOf(own);
  const isScope = outer.slice(outer.lastIndexOf("/") + 1).startsWith("@");
  const containers = isScope ? [outer, parentOf(outer)] : [outer];
  return [own, ...containers.map((folder) => joinPath(folder, anyName))];
}

/** What is in the finished image. */
interface FoundInImage {
  readonly packages: readonly PackageFinding[];
  readonly applications: readonly PackageFinding[];
  readonly links: readonly LinkFinding[];
  readonly listings: readonly ListingFinding[];
}

function findingsIn(layers: readonly EcosystemLayer[], image: ImageView): FoundInImage {
  const there = layers.flatMap(({ findings }, index) =>
    findings.filter((finding) => image.survives(placeOf(finding), index)),
  );
  const isApplication = ({ dependenciesIn }: PackageFinding) => dependenciesIn !== undefined;
  const all = there.filter((finding) => finding.kind === "package");
  return {
    packages: all.filter((finding) => !isApplication(finding)),
    applications: all.filter(isApplication),
    links: there.filter((finding) => finding.kind === "link"),
    listings: there.filter((finding) => finding.kind === "listing"),
  };
}

function placeOf(finding: Finding): string {
  if (finding.kind === "package") return fileOf(finding);
  return finding.kind === "link" ? (finding.file ?? finding.path) : finding.path;
}

/** The last segment of an entry that stands for all folders in one. */
const anyName = "*/";

/** The folders of applications that are installed as packages. */
function installedFolders(found: FoundInImage, resolve: (path: string) => string): ReadonlySet<string> {
  const folders = new Set(found.links.map((link) => folderOfLink(link, resolve(link.path))));
  for (const { members = [] } of usedListings(found)) for (const folder of members) folders.add(folder);
  return folders;
}

function folderOfLink({ toPackages, toFile }: LinkFinding, end: string): string {
  if (toFile === true) return parentOf(end);
  return toPackages === true ? joinPath(end, anyName) : end;
}

/** The documents that list a file in which a package was found. */
function usedListings({ listings, packages }: FoundInImage): readonly ListingFinding[] {
  if (listings.length === 0) return [];
  const files = new Set(packages.map(fileOf));
  return listings.filter((listing) => listing.files.some((file) => files.has(file)));
}

/** What is in the finished image, with the applications in folders of packages. */
interface FoundAndInstalled extends FoundInImage {
  readonly installed: readonly PackageFinding[];
}

/** The folders with installed packages, of those where dependencies of applications may be, and the documents that list any. */
function placesWithPackages(found: FoundAndInstalled, resolve: (path: string) => string): ReadonlySet<string> {
  const { packages, applications, links } = found;
  const wanted = new Set(applications.flatMap(({ dependenciesIn = [] }) => dependenciesIn.map(resolve)));
  const used = new Set(usedListings(found).map(({ path }) => path));
  const ofApplications = new Set(applications.map(({ packageDb }) => parentOf(packageDb)));
  const linked = links.filter((link) => ofApplications.has(folderOfLink(link, resolve(link.path))));
  const described = [...packages, ...found.installed].map(({ packageDb }) => packageDb);
  for (const path of [...described, ...linked.map(({ path }) => path)]) {
    for (const folder of foldersOf(path)) if (wanted.has(folder)) used.add(folder);
  }
  return used;
}

function comparableName(name: string): string {
  return lockedName({ name, version: "" });
}

/** `a`, `a/b.asar` and `a/b.asar:c` of `a/b.asar:c/d`. */
function* foldersOf(path: string): Iterable<string> {
  for (const { index } of path.matchAll(/[/:]/g)) yield path.slice(0, index);
}
