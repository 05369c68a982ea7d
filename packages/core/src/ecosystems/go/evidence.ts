import type { EvidenceRule } from "../../plugins/evidence.ts";
import { lockFilesNamed } from "../language/lock-file-evidence.ts";

/** What shows that there are modules of Go, besides the information in programs. */
export const goEvidence: readonly EvidenceRule[] = [
  { kind: "go", mark: "go" },
  { ...lockFilesNamed("go", "go.sum"), listedIn: "go.mod" },
];
