import { ScanError } from "../../errors.ts";
import { isObject, textOf } from "../../model/json-object.ts";
import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { readJson } from "../language/json-file.ts";
import { provenPackage } from "../language/proof.ts";

/** The root of a package in `node_modules`, and the folders of Debian's packages of Node.js modules. */
const places =
  /(?:(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/@.][^/]*|^usr\/(?:share|lib)\/nodejs\/(?:@[^/]+\/)?[^/@.][^/]*)\/package\.json$/;

/** The largest `package.json` that is read. */
const maxBytes = 4 * 1024 ** 2;

/**
 * Finds packages that npm, Yarn or pnpm has installed by their `package.json`. It has the published name of the package; the name of the folder
 * may be an alias.
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
    // a file without both is not a package of a registry: it sets only the module format, or is the project itself
    if (name !== "" && version !== "") yield provenPackage(file, { name, version });
  },
};
