import type { EvidenceRule } from "../../plugins/evidence.ts";
import { lockFilesNamed } from "../language/lock-file-evidence.ts";

/** The stores of Nix and of Guix, which has the same form. @see https://guix.gnu.org/manual/en/html_node/The-Store.html */
const stores = ["nix/store/", "gnu/store/"];

/** The path in the store that a file belongs to, which may be a file itself. */
function storePath(path: string): string | undefined {
  const store = stores.find((each) => path.startsWith(each));
  if (store === undefined) return undefined;
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
