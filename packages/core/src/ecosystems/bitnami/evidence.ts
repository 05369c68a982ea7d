import type { EvidenceRule } from "../../plugins/evidence.ts";

/** What shows that there are components of Bitnami. */
export const bitnamiEvidence: readonly EvidenceRule[] = [
  { kind: "bitnami", extensions: ["spdx"], where: /^opt\/bitnami\/.*\/\.spdx-[^/]+$/ },
];
