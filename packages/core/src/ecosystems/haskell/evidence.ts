import type { EvidenceRule } from "../../plugins/evidence.ts";
import { lockFilesNamed } from "../language/lock-file-evidence.ts";

/** What shows that there are packages of Haskell. */
export const haskellEvidence: readonly EvidenceRule[] = [
  { kind: "haskell", extensions: ["conf"], where: /(?:^|\/)(?:package\.(?:conf\.d|db)|pkgdb)\/[^/]+\.conf$/ },
  lockFilesNamed("haskell", "cabal.project.freeze", "stack.yaml.lock"),
];
