import type { EvidenceRule } from "../../plugins/evidence.ts";

/** What shows that there are packages of PEAR and PECL. */
export const pearEvidence: readonly EvidenceRule[] = [
  { kind: "php", extensions: ["reg"], where: /(?:^|\/)\.registry\/(?:\.channel\.[^/]+\/)?[^/]+\.reg$/ },
];
