import type { ListedFile, PackageFile } from "@plimsoll/core/internal";
import { parsePurl } from "@plimsoll/core/purl";
import type { Component } from "./components.ts";

/** The file by which a package is delivered. */
export interface DeliveredFile {
  readonly name: string;
  readonly isExecutable: boolean;
  readonly isArchive: boolean;
  /** Its digests, if the file itself is in the image. */
  readonly content?: PackageFile;
}

/**
 * The file by which a package is delivered: the file in the image that it is, or the archive of the distribution that it was installed from, which always has the
 * same name; undefined for other packages.
 */
export function deliveredFile({ purl, package: found, details, locations }: Component): DeliveredFile | undefined {
  const content = details?.file;
  const path = locations[0]?.path;
  if (content !== undefined && path !== undefined) {
    const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf(":")) + 1);
    return { name, isExecutable: content.kind === "program", isArchive: content.kind === "archive", content };
  }
  const { arch, name } = found;
  const version = found.version.slice(found.version.indexOf(":") + 1); // file names have no epoch
  const write = purl === undefined ? undefined : archiveNames[parsePurl(purl).type];
  if (write === undefined || version === "" || arch === undefined) return undefined;
  return { name: write(name, version, arch), isExecutable: false, isArchive: true };
}

type ArchiveName = (name: string, version: string, arch: string) => string;

/**
 * The names of archives by the types of package URLs.
 *
 * @see https://manpages.debian.org/bookworm/dpkg-dev/dpkg-name.1.en.html
 */
const archiveNames: Readonly<Record<string, ArchiveName | undefined>> = {
  apk: (name, version) => `${name}-${version}.apk`,
  deb: (name, version, arch) => `${name}_${version}_${arch}.deb`,
  rpm: (name, version, arch) => `${name}-${version}.${arch}.rpm`,
};

/** A file of an image that belongs to packages. */
export interface FileOfPackages extends Pick<ListedFile, "path" | "layer"> {
  /** Each digest as its packaging system states it: the name of the algorithm as SPDX has it, and hex digits. */
  readonly digests: readonly { readonly algorithm: string; readonly hex: string }[];
  /** The ids of the packages. */
  readonly packageIds: readonly string[];
}

/** The files of all packages of a report that lists them, by path. Those of several packages are there once. */
export function filesOfPackages(components: readonly Component[]): readonly FileOfPackages[] {
  const found = new Map<
    string,
    { file: ListedFile; readonly digests: Set<string>; readonly packageIds: Set<string> }
  >();
  for (const { package: owner, files = [] } of components) {
    for (const file of files) {
      const known = found.get(file.path) ?? { file, digests: new Set(), packageIds: new Set() };
      found.set(file.path, known);
      known.packageIds.add(owner.id);
      if (file.digest !== undefined) known.digests.add(file.digest);
    }
  }
  return [...found.values()]
    .map(({ file: { path, layer }, digests, packageIds }) => ({
      path,
      layer,
      digests: digests.size > 1 ? [] : [...digests].map(digestParts),
      packageIds: [...packageIds],
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function digestParts(digest: string) {
  const [algorithm = "", hex = ""] = digest.split(":", 2);
  return { algorithm: algorithm.toUpperCase(), hex };
}
