import type { EvidenceRule } from "../../plugins/evidence.ts";
import { lockFilesLike, lockFilesNamed } from "../language/lock-file-evidence.ts";

/** What shows that there are gems. */
export const rubyEvidence: readonly EvidenceRule[] = [
  { kind: "ruby", extensions: ["gemspec"], where: /(?:^|\/)specifications\/(?:default\/)?[^/]+\.gemspec$/ },
  lockFilesNamed("ruby", "Gemfile.lock", "gems.locked"),
  lockFilesLike("ruby", "lock", /[^/]\.gemfile\.lock$/i),
];
