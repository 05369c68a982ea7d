import type { EvidenceRule } from "../../plugins/evidence.ts";
import { lockFilesNamed } from "../language/lock-file-evidence.ts";

/** What shows that there are packages of Conan. */
export const conanEvidence: readonly EvidenceRule[] = [
  { kind: "cpp", files: ["conaninfo.txt"], where: /(?:^|\/)conaninfo\.txt$/ },
  lockFilesNamed("cpp", "conan.lock", "conanfile.txt"),
];
