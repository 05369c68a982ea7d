import type { EvidenceRule } from "../../plugins/evidence.ts";
import { lockFilesNamed } from "../language/lock-file-evidence.ts";

/** What shows that there are packages of Composer. */
export const phpEvidence: readonly EvidenceRule[] = [
  { kind: "php", files: ["installed.json"], where: /(?:^|\/)composer\/installed\.json$/ },
  lockFilesNamed("php", "composer.lock"),
];
