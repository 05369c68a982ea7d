import type { EvidenceRule } from "../../plugins/evidence.ts";

/** What shows that there are snaps. */
export const snapEvidence: readonly EvidenceRule[] = [
  { kind: "snap", files: ["snap.yaml"], where: /(?:^|\/)meta\/snap\.yaml$/ },
  { kind: "snap", extensions: ["snap"], where: /(?:^|\/)var\/lib\/snapd\/(?:snaps|seed\/snaps)\/[^/]+$/ },
];
