import type { EvidenceRule } from "../../plugins/evidence.ts";
import { lockFilesNamed } from "../language/lock-file-evidence.ts";

/** What shows that there are packages of R. */
export const rEvidence: readonly EvidenceRule[] = [
  { kind: "r", files: ["DESCRIPTION"], where: /(?:^|\/)(?:site-)?library\/(?:R-[^/]+\/[^/]+\/)?[^/]+\/DESCRIPTION$/ },
  lockFilesNamed("r", "renv.lock"),
];
