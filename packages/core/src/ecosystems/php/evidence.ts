import type { EvidencePackage, EvidenceRule } from "../../plugins/evidence.ts";
import { inTests, lockFilesNamed, packedInTar } from "../language/lock-file-evidence.ts";

/** A package in a vendor folder. The folder has its name, and nothing its version. */
const vendored = /(?:^|\/)vendor\/([^/]+\/[^/]+)\/composer\.json$/;

function vendoredPackage(path: string): EvidencePackage | undefined {
  const name = vendored.exec(path)?.[1];
  return name === undefined ? undefined : { name, version: "" };
}

/** What shows that there are packages of Composer. */
export const phpEvidence: readonly EvidenceRule[] = [
  { kind: "php", files: ["installed.json"], where: /(?:^|\/)composer\/installed\.json$/ },
  { kind: "php", files: ["installed.php"], where: /(?:^|\/)composer\/installed\.php$/ },
  { kind: "php", mark: "phar" },
  { kind: "php", extensions: ["phar"] },
  { kind: "php", files: ["composer.json"], where: vendored, unless: inTests, packageOf: vendoredPackage },
  packedInTar("php", /(?:^|\/)composer\/installed\.json$/),
  lockFilesNamed("php", "composer.lock"),
];
