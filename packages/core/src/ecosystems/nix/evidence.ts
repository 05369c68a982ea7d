import type { EvidenceRule } from "../../plugins/evidence.ts";
import { lockFilesNamed } from "../language/lock-file-evidence.ts";

const store = "nix/store/";

/** The path in the store that a file belongs to, which may be a file itself. */
function storePath(path: string): string | undefined {
  if (!path.startsWith(store)) return undefined;
  const end = path.indexOf("/", store.length);
  const found = end < 0 ? path : path.slice(0, end);
  return found === `${store}.links` ? undefined : `${found}/`;
}

/** What shows that there are packages of Nix. */
export const nixEvidence: readonly EvidenceRule[] = [
  { kind: "nix", files: ["db.sqlite"], where: /(?:^|\/)nix\/var\/nix\/db\/db\.sqlite$/ },
  { kind: "nix", folderOf: storePath },
  lockFilesNamed("nix", "flake.lock"),
];
