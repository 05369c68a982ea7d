import { ScanError } from "../../errors.ts";
import { isObject, textOf } from "../../model/json-object.ts";
import type { Json } from "../../model/json-value.ts";
import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { readJson } from "../language/json-file.ts";
import { provenPackage } from "../language/proof.ts";
import { isPlain } from "../linux/text.ts";

/** The root of a package in `node_modules`, and the folders of Debian's packages of Node.js modules. */
const places =
  /(?:(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/@.][^/]*|^usr\/(?:share|lib)\/nodejs\/(?:@[^/]+\/)?[^/@.][^/]*)\/package\.json$/;

/** The project itself: any other folder outside `node_modules`. What is there inside a package is the package's own, such as its tests. */
const project = /^(?!(?:.*\/)?node_modules\/|usr\/(?:share|lib)\/nodejs\/)/;

/** The largest `package.json` that is read. */
const maxBytes = 4 * 1024 ** 2;

/** Yarn 1 in the images of Node.js. It contains its dependencies in one file. */
const yarn = /^opt\/yarn-v[^/]+\/package\.json$/;

/**
 * Finds packages that npm, Yarn or pnpm has installed by their `package.json`, and applications beside whose `package.json` is `node_modules`. The file
 * has the published name of the package; the name of the folder may be an alias.
 * @see https://docs.npmjs.com/cli/v11/configuring-npm/package-json
 */
export const npmDetector: FileDetector = {
  name: "npm-package-json",
  revision: 2,
  wants: ({ path }: FileEntry) => isDescription.test(path) && (places.test(path) || project.test(path)),
  *detect(file: LayerFile): Iterable<Finding> {
    if (places.test(file.path) || yarn.test(file.path)) yield* installedPackage(file);
    else yield* application(file);
  },
};

const isDescription = /(?:^|\/)package\.json$/;

function* installedPackage(file: LayerFile): Iterable<Finding> {
  const json = readJson(file, maxBytes);
  if (!isObject(json)) throw new ScanError("malformed_package_db", "expected an object, found something else");
  const [name, version] = [textOf(json.name), textOf(json.version)];
  // a file without both is not a package of a registry: it sets only the module format
  if (name !== "" && version !== "") yield provenPackage(file, { name, version });
}

/** A file that cannot be read is none of a package: it may be a template, or broken for a test. */
function* application(file: LayerFile): Iterable<Finding> {
  const json = readOrNothing(file);
  if (!isObject(json) || json.private === true) return; // which no registry has, so that advisories are about another one of the name
  const [name, version] = [textOf(json.name), textOf(json.version)];
  if (name === "" || version === "" || !isPlain(name) || !isPlain(version)) return;
  const dependenciesIn = file.path.replace(/package\.json$/, "node_modules");
  yield provenPackage(file, { name, version, dependenciesIn });
}

function readOrNothing(file: LayerFile): Json | undefined {
  try {
    return readJson(file, maxBytes);
  } catch (error) {
    if (error instanceof ScanError) return undefined;
    throw error;
  }
}
