import type { EvidenceRule } from "../../plugins/evidence.ts";

/** What shows that there are packages of Portage. */
export const portageEvidence: readonly EvidenceRule[] = [
  { kind: "portage", files: ["CONTENTS"], where: /(?:^|\/)var\/db\/pkg\/[^/]+\/[^/]+\/CONTENTS$/ },
];
