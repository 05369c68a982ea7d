import { dependenciesByName } from "../../index/named-dependencies.ts";
import { memberOf, objectsOf, textOf } from "../../model/json-object.ts";
import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { numericVersions } from "../../versions/numeric/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { findJson } from "../language/json-file.ts";
import { provenPackage } from "../language/proof.ts";
import { homebrewEvidence } from "./evidence.ts";

/** `home/linuxbrew/.linuxbrew/Cellar/openssl@3/3.2.1_1/INSTALL_RECEIPT.json` */
const place = /(?:^|\/)Cellar\/([^/]+)\/([^/]+)\/INSTALL_RECEIPT\.json$/;

const maxBytes = 1024 ** 2;

/** Finds installed formulas of Homebrew, by their receipts. The path of a receipt has name and version. */
const homebrewDetector: FileDetector = {
  name: "homebrew-cellar",
  revision: 2,
  names: { endings: ["/INSTALL_RECEIPT.json"] },
  wants: ({ path }: FileEntry) => path.endsWith("/INSTALL_RECEIPT.json") && place.test(path),
  *detect(file: LayerFile): Iterable<Finding> {
    const [, name = "", version = ""] = place.exec(file.path) ?? [];
    const needed = memberOf(findJson(file, maxBytes), "runtime_dependencies");
    const requires = Array.isArray(needed) ? objectsOf(needed).map((each) => textOf(each.full_name)) : undefined;
    yield provenPackage(file, { name, version, details: { requires } });
  },
};

/** Installed formulas of Homebrew. */
export const homebrew = defineLanguage({
  name: "homebrew",
  ecosystem: "Homebrew",
  repository: "homebrew",
  fileDetectors: [homebrewDetector],
  versions: numericVersions,
  evidence: homebrewEvidence,
  dependencies: dependenciesByName({ namesIn: (need) => [need.slice(need.lastIndexOf("/") + 1)] }), // `TAP/NAME`
  purl: ["brew"],
  assesses: ["homebrew"],
});
