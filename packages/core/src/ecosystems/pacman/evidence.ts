import type { EvidenceRule } from "../../plugins/evidence.ts";

/** What shows that there are packages of pacman. */
export const pacmanEvidence: readonly EvidenceRule[] = [
  { kind: "pacman", files: ["desc"], where: /(?:^|\/)var\/lib\/pacman\/local\/[^/]+\/desc$/ },
];
