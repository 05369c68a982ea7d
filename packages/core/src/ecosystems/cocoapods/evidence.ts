import type { EvidenceRule } from "../../plugins/evidence.ts";
import { lockFilesNamed } from "../language/lock-file-evidence.ts";

/** What shows that there are packages of CocoaPods. */
export const cocoapodsEvidence: readonly EvidenceRule[] = [lockFilesNamed("swift", "Podfile.lock")];
