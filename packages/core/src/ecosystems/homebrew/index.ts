import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { numericVersions } from "../../versions/numeric/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { provenPackage } from "../language/proof.ts";
import { homebrewEvidence } from "./evidence.ts";

/** `home/linuxbrew/.linuxbrew/Cellar/openssl@3/3.2.1_1/INSTALL_RECEIPT.json` */
const place = /(?:^|\/)Cellar\/([^/]+)\/([^/]+)\/INSTALL_RECEIPT\.json$/;

/** Finds installed formulas of Homebrew, by their receipts. The path of a receipt has name and version. */
const homebrewDetector: FileDetector = {
  name: "homebrew-cellar",
  revision: 1,
  names: { endings: ["/INSTALL_RECEIPT.json"] },
  wants: ({ path }: FileEntry) => path.endsWith("/INSTALL_RECEIPT.json") && place.test(path),
  *detect(file: LayerFile): Iterable<Finding> {
    const [, name = "", version = ""] = place.exec(file.path) ?? [];
    yield provenPackage(file, { name, version });
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
  purl: ["brew"],
  assesses: ["homebrew"],
});
