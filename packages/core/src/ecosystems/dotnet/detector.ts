import { ScanError } from "../../errors.ts";
import { isObject } from "../../model/json-object.ts";
import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { decodeHead } from "../language/head.ts";
import { readJson } from "../language/json-file.ts";
import { provenPackage } from "../language/proof.ts";
import { filesOf, librariesOf } from "./deps-json.ts";

const maxBytes = 64 * 1024 ** 2;

/** A folder with a folder for each version of a package, as NuGet unpacks them. */
const unpacked = /(?:^|\/)(?:\.nuget\/packages|NuGetFallbackFolder)\/([^/]+)\/([^/]+)\/[^/]+\.nuspec$/;
const idIn = /<id>\s{0,99}([\w.-]{1,100})\s{0,99}<\/id>/;
const headBytes = 16_384;

/**
 * Finds the packages in the folder in which NuGet unpacks all packages, by their descriptions: programs that were not published run from there.
 * @see https://learn.microsoft.com/en-us/nuget/consume-packages/managing-the-global-packages-and-cache-folders
 */
export const nugetFolderDetector: FileDetector = {
  name: "nuget-folder",
  revision: 1,
  names: { endings: [".nuspec"] },
  wants: ({ path }: FileEntry) => unpacked.test(path),
  *detect(file: LayerFile): Iterable<Finding> {
    const [, folder = "", version = ""] = unpacked.exec(file.path) ?? [];
    const id = idIn.exec(decodeHead(file.bytes, headBytes))?.[1] ?? "";
    const name = id.toLowerCase() === folder.toLowerCase() ? id : folder; // the folder has lower case
    yield provenPackage(file, { name, version });
  },
};

/** Finds the packages of .NET applications and shared frameworks in `*.deps.json`, and lists the assemblies that this file names. */
export const dotnetDetector: FileDetector = {
  name: "dotnet-deps-json",
  revision: 3,
  names: { endings: [".deps.json"] },
  wants: ({ path }: FileEntry) => path.endsWith(".deps.json"),
  *detect(file: LayerFile): Iterable<Finding> {
    const document = readJson(file, maxBytes);
    if (!isObject(document)) throw new ScanError("malformed_package_db", "expected an object, found something else");
    for (const library of librariesOf(document)) yield provenPackage(file, library);
    const folder = file.path.slice(0, file.path.lastIndexOf("/") + 1);
    const files = [...filesOf(document)].filter((name) => /\.(?:dll|exe)$/i.test(name)).map((name) => folder + name);
    if (files.length > 0) yield { kind: "listing", path: file.path, files };
  },
};
