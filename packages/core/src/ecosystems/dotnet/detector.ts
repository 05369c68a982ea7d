import { ScanError } from "../../errors.ts";
import { isObject } from "../../model/json-object.ts";
import type { FileDetector, FileInfo, Finding, LayerFile } from "../../plugins.ts";
import { readJson } from "../language/json-file.ts";
import { provenPackage } from "../language/proof.ts";
import { librariesOf } from "./deps-json.ts";

const maxBytes = 64 * 1024 ** 2;

/** Finds the packages of .NET applications and of shared frameworks, by the `*.deps.json` beside their assemblies. */
export const dotnetDetector: FileDetector = {
  name: "dotnet-deps-json",
  revision: 1,
  wants: ({ path }: FileInfo) => path.endsWith(".deps.json"),
  *detect(file: LayerFile): Iterable<Finding> {
    const document = readJson(file, maxBytes);
    if (!isObject(document)) throw new ScanError("malformed_package_db", "expected an object, found something else");
    for (const library of librariesOf(document)) yield provenPackage(file, library);
  },
};
