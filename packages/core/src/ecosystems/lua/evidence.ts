import type { EvidenceRule } from "../../plugins/evidence.ts";

/** What shows that there are packages of LuaRocks. */
export const luaEvidence: readonly EvidenceRule[] = [
  { kind: "lua", files: ["rock_manifest"], where: /(?:^|\/)rocks(?:-\d+\.\d+)?\/[^/]+\/[^/]+\/rock_manifest$/ },
];
