import type { EvidenceRule } from "../../plugins/evidence.ts";

/** What shows that there are packages of Flatpak. */
export const flatpakEvidence: readonly EvidenceRule[] = [
  {
    kind: "flatpak",
    files: ["metadata"],
    where: /(?:^var\/lib|(?:^|\/)\.local\/share)\/flatpak\/(?:app|runtime)\/[^/]+\/[^/]+\/[^/]+\/[^/]+\/metadata$/,
  },
];
