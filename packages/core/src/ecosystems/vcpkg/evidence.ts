import type { EvidenceRule } from "../../plugins/evidence.ts";

/** What shows that there are packages of vcpkg. */
export const vcpkgEvidence: readonly EvidenceRule[] = [
  { kind: "cpp", files: ["status"], where: /(?:^|\/)vcpkg\/status$/ },
];
