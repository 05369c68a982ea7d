import type { EvidenceRule } from "../../plugins/evidence.ts";
import { lockFilesLike, lockFilesNamed } from "../language/lock-file-evidence.ts";

/** What shows that there are packages of conda. */
export const condaEvidence: readonly EvidenceRule[] = [
  { kind: "conda", extensions: ["json"], where: /(?:^|\/)conda-meta\/[^/]+\.json$/ },
  lockFilesNamed("conda", "conda-lock.yml", "pixi.lock"),
  lockFilesLike("conda", "yml", /[^/]\.conda-lock\.yml$/i),
  lockFilesLike("conda", "yaml", /[^/]\.conda-lock\.yaml$/i),
];
