import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { numericVersions } from "../../versions/numeric/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { provenPackage } from "../language/proof.ts";
import { luaEvidence } from "./evidence.ts";

/** `rocks-5.1/lpeg/1.1.0-1/rock_manifest`: name and version are folders. The file itself has neither, only the installed files. */
const place = /(?:^|\/)rocks(?:-\d+\.\d+)?\/([^/]+)\/([^/]+)\/rock_manifest$/;

/**
 * Finds packages that LuaRocks has installed.
 * @see https://github.com/luarocks/luarocks/blob/main/docs/file_locations.md
 */
const luaDetector: FileDetector = {
  name: "lua-rock-manifest",
  revision: 1,
  names: { endings: ["/rock_manifest"] },
  wants: ({ path }: FileEntry) => path.endsWith("/rock_manifest") && place.test(path),
  *detect(file: LayerFile): Iterable<Finding> {
    const [, name, version] = place.exec(file.path) ?? [];
    if (name !== undefined && version !== undefined) yield provenPackage(file, { name, version });
  },
};

/** Packages of Lua that LuaRocks has installed. */
export const lua = defineLanguage({
  name: "lua",
  ecosystem: "LuaRocks",
  repository: "luarocks",
  fileDetectors: [luaDetector],
  versions: numericVersions,
  evidence: luaEvidence,
  purl: ["luarocks"],
  assesses: ["lua"],
});
