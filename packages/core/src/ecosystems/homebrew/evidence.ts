import type { EvidenceRule } from "../../plugins/evidence.ts";

/** What shows that there are packages of Homebrew. */
export const homebrewEvidence: readonly EvidenceRule[] = [
  { kind: "homebrew", files: ["INSTALL_RECEIPT.json"], where: /(?:^|\/)Cellar\/[^/]+\/[^/]+\/INSTALL_RECEIPT\.json$/ },
];
