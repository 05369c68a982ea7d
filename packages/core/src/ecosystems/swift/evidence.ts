import type { EvidenceRule } from "../../plugins/evidence.ts";
import { lockFilesNamed } from "../language/lock-file-evidence.ts";

/** What shows that there are packages of Swift. */
export const swiftEvidence: readonly EvidenceRule[] = [
  {
    kind: "swift",
    files: ["workspace-state.json"],
    where: /(?:^|\/)(?:\.build|SourcePackages)\/workspace-state\.json$/,
  },
  lockFilesNamed("swift", "Package.resolved"),
];
