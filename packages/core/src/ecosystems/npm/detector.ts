import { ScanError } from "../../errors.ts";
import { isObject, textOf } from "../../model/json-object.ts";
import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { readJson } from "../language/json-file.ts";
import { provenPackage } from "../language/proof.ts";

/** The root of a package in `node_modules`, and where Debian's packages of Node.js modules are. */
const places =
  /(?:(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/@.][^/]*|^usr\/(?:share|lib)\/nodejs\/(?:@[^/]+\/)?[^/@.][^/]*)\/package\.json$/;

/** No description of a package is larger. */
const maxBytes = 4 * 1024 ** 2;

/**
 * Finds installed packages of npm and its kin by their `package.json`, which has the name that the package is published under:
 * a folder may be an alias.
 * @see https://docs.npmjs.com/cli/v11/configuring-npm/package-json
 */
export const npmDetector: FileDetector = {
  name: "npm-package-json",
  revision: 1,
  wants: ({ path }: FileEntry) => path.endsWith("/package.json") && places.test(path),
  *detect(file: LayerFile): Iterable<Finding> {
    const json = readJson(file, maxBytes);
    if (!isObject(json)) throw new ScanError("malformed_package_db", "expected an object, found something else");
    const [name, version] = [textOf(json.name), textOf(json.version)];
    // without both it is no package that a registry has: a mark of the module format, or a link to the project itself
    if (name !== "" && version !== "") yield provenPackage(file, { name, version });
  },
};
