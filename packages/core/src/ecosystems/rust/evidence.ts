import type { EvidenceRule } from "../../plugins/evidence.ts";
import { lockFilesNamed } from "../language/lock-file-evidence.ts";

/** What shows that there are packages of Rust, besides the lists in programs. */
export const rustEvidence: readonly EvidenceRule[] = [
  { kind: "rust", mark: "rust" },
  lockFilesNamed("rust", "Cargo.lock"),
];
