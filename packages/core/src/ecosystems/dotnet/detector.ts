import { ScanError } from "../../errors.ts";
import { isObject } from "../../model/json-object.ts";
import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { readJson } from "../language/json-file.ts";
import { provenPackage } from "../language/proof.ts";
import { filesOf, librariesOf } from "./deps-json.ts";

const maxBytes = 64 * 1024 ** 2;

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
