import type { EvidenceRule } from "../../plugins/evidence.ts";
import { lockFilesNamed, packedInTar } from "../language/lock-file-evidence.ts";

/** What shows that there are packages of Composer. */
export const phpEvidence: readonly EvidenceRule[] = [
  { kind: "php", files: ["installed.json"], where: /(?:^|\/)composer\/installed\.json$/ },
  { kind: "php", files: ["installed.php"], where: /(?:^|\/)composer\/installed\.php$/ },
  { kind: "php", mark: "phar" },
  { kind: "php", extensions: ["phar"] },
  packedInTar("php", /(?:^|\/)composer\/installed\.json$/),
  lockFilesNamed("php", "composer.lock"),
];
