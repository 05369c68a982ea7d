import type { EvidenceRule } from "../../plugins/evidence.ts";
import { lockFilesNamed } from "../language/lock-file-evidence.ts";

/** What shows that there are packages of Dart. */
export const dartEvidence: readonly EvidenceRule[] = [
  { kind: "dart", files: ["package_config.json"], where: /(?:^|\/)\.dart_tool\/package_config\.json$/ },
  lockFilesNamed("dart", "pubspec.lock"),
];
