import type { EvidencePackage, EvidenceRule } from "../../plugins/evidence.ts";
import { lockFilesNamed } from "../language/lock-file-evidence.ts";

/** `lpeg` 1.1.0-1 of `lpeg-1.1.0-1.rockspec`, `lpeg-1.1.0-1.src.rock` and `lpeg-1.1.0-1.linux-x86_64.rock`. */
const rock = /(?:^|\/)([^/]+)-([^-/]+-\d+)\.(?:rockspec|rock|(?:all|src|[a-z0-9]+-[a-z0-9_]+)\.rock)$/;

function rockOf(path: string): EvidencePackage | undefined {
  const [, name, version] = rock.exec(path) ?? [];
  return name === undefined || version === undefined ? undefined : { name, version };
}

/** The description of sources that are no release: an application has it beside its own files. */
const unreleased = /-(?:dev|git|head|main|master|scm)-\d+\.rockspec$/i;

/**
 * What shows that there are packages of LuaRocks.
 * @see https://github.com/luarocks/luarocks/blob/main/docs/rockspec_format.md
 */
export const luaEvidence: readonly EvidenceRule[] = [
  { kind: "lua", files: ["rock_manifest"], where: /(?:^|\/)rocks(?:-\d+\.\d+)?\/[^/]+\/[^/]+\/rock_manifest$/ },
  { kind: "lua", extensions: ["rockspec"], where: rock, unless: unreleased, packageOf: rockOf },
  { kind: "lua", extensions: ["rock"], packageOf: rockOf },
  lockFilesNamed("lua", "luarocks.lock"),
];
