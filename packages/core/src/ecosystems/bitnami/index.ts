import { ScanError } from "../../errors.ts";
import { isObject, textOf } from "../../model/json-object.ts";
import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { bitnamiVersions } from "../../versions/bitnami/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { readJson } from "../language/json-file.ts";
import { provenPackage } from "../language/proof.ts";
import { bitnamiEvidence } from "./evidence.ts";

const file = /(?:^|\/)\.bitnami_components\.json$/;
const maxBytes = 1024 ** 2;

/**
 * Finds the components that an image of Bitnami lists. Older images have no bill of materials beside.
 *
 *     { NAME: { arch, distro?, type: "NAMI", version: "6.2.6-0" } }
 */
const componentsDetector: FileDetector = {
  name: "bitnami-components",
  revision: 1,
  names: { endings: [".bitnami_components.json"] },
  wants: ({ path }: FileEntry) => file.test(path),
  *detect(found: LayerFile): Iterable<Finding> {
    const json = readJson(found, maxBytes);
    if (!isObject(json)) throw new ScanError("malformed_package_db", "expected an object, found something else");
    for (const [name, entry] of Object.entries(json))
      if (isObject(entry)) yield provenPackage(found, { name, version: textOf(entry.version), within: name });
  },
};

/** Bitnami's components, from the lists and the bills of materials in its images. */
export const bitnami = defineLanguage({
  name: "bitnami",
  ecosystem: "Bitnami",
  repository: "bitnami",
  fileDetectors: [componentsDetector],
  versions: bitnamiVersions,
  evidence: bitnamiEvidence,
  purl: ["bitnami"],
  assesses: [],
});
