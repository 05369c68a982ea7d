import type { DetectOptions, FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { decodeHead } from "../language/head.ts";
import { provenPackage, unreadable } from "../language/proof.ts";
import { filesOf, librariesOf, readDepsJson } from "./deps-json.ts";
import { nugetPackageOf } from "./evidence.ts";
import { nuspecDetails } from "./nuspec.ts";

/** A folder with a folder for each version of a package, as NuGet unpacks them. */
const unpacked = /(?:^|\/)(?:\.nuget\/packages|NuGetFallbackFolder)\/([^/]+)\/([^/]+)\/[^/]+\.nuspec$/;
/** The description of a package that is packed: the one at the root of the archive. */
const packed = /\.nupkg\/[^/]+\.nuspec$/i;
const idIn = /<id>\s{0,99}([\w.-]{1,100})\s{0,99}<\/id>/;
const versionIn = /<version>\s{0,99}v?([\w.-]{1,100})(?:\+[^<]{0,99})?\s{0,99}<\/version>/;
const headBytes = 16_384;

/**
 * Finds the packages in the folder in which NuGet unpacks all packages, by their descriptions: programs that were not published run from there. Also the package in an
 * archive.
 * @see https://learn.microsoft.com/en-us/nuget/consume-packages/managing-the-global-packages-and-cache-folders
 */
export const nugetFolderDetector: FileDetector = {
  name: "nuget-folder",
  revision: 4,
  names: { endings: [".nuspec"] },
  wants: ({ path }: FileEntry) => unpacked.test(path) || packed.test(path),
  *detect(file: LayerFile, { details: isWanted = true }: DetectOptions = {}): Iterable<Finding> {
    const details = isWanted ? nuspecDetails(file) : undefined;
    const head = decodeHead(file.bytes, headBytes);
    const id = idIn.exec(head)?.[1] ?? "";
    const [, folder, version = ""] = unpacked.exec(file.path) ?? [];
    if (folder === undefined) {
      if (id === "") yield unreadable(file.path, "expected the id of a NuGet package, found none");
      else yield provenPackage(file, { name: id, version: versionIn.exec(head)?.[1] ?? "", details });
      return;
    }
    const name = id.toLowerCase() === folder.toLowerCase() ? id : folder; // the folder has lower case
    yield provenPackage(file, { name, version, details });
  },
};

/**
 * Opens packages that are packed, as in a folder that is a source of packages. One beside its unpacked files is not opened.
 * @see https://learn.microsoft.com/en-us/nuget/hosting-packages/local-feeds
 */
export const nugetArchiveDetector: FileDetector = {
  name: "nuget-archive",
  revision: 1,
  opens: { packages: "dotnet" },
  names: { endings: [".nupkg"] },
  wants: ({ path }: FileEntry) => /\.nupkg$/i.test(path) && nugetPackageOf(path) === undefined,
  detect: () => [],
};

/** Finds the packages of .NET applications and shared frameworks in `*.deps.json`, and lists the assemblies that this file names. */
export const dotnetDetector: FileDetector = {
  name: "dotnet-deps-json",
  revision: 5,
  names: { endings: [".deps.json"] },
  wants: ({ path }: FileEntry) => path.endsWith(".deps.json"),
  *detect(file: LayerFile): Iterable<Finding> {
    const document = readDepsJson(file);
    for (const { requires, ...library } of librariesOf(document))
      yield provenPackage(file, { ...library, details: { requires } });
    const folder = file.path.slice(0, file.path.lastIndexOf("/") + 1);
    const files = [...filesOf(document)].filter((name) => /\.(?:dll|exe)$/i.test(name)).map((name) => folder + name);
    if (files.length > 0) yield { kind: "listing", path: file.path, files };
  },
};
