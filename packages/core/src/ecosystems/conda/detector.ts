import { isObject, textOf } from "../../model/json-object.ts";
import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { readJson } from "../language/json-file.ts";
import { provenPackage, unreadable } from "../language/proof.ts";

const place = /(?:^|\/)conda-meta\/[^/]+\.json$/;
/** The limit for a record. Records are large, because they list the files of the package. */
const maxBytes = 64 * 1024 ** 2;

/**
 * Finds the packages that conda has installed, by its record of each package.
 * @see https://docs.conda.io/projects/conda/en/stable/dev-guide/deep-dives/install.html
 */
export const condaDetector: FileDetector = {
  name: "conda-meta",
  revision: 1,
  wants: ({ path }: FileEntry) => path.endsWith(".json") && place.test(path),
  *detect(file: LayerFile): Iterable<Finding> {
    const json = readJson(file, maxBytes);
    const { name, version, subdir } = isObject(json) ? json : {};
    if (textOf(name) === "") yield unreadable(file.path, "expected the name of a conda package, found none");
    else {
      const arch = textOf(subdir);
      yield provenPackage(file, { name: textOf(name), version: textOf(version), ...(arch !== "" && { arch }) });
    }
  },
};
