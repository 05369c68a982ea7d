import { numericVersions } from "../../versions/numeric/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { luaDetector } from "./detector.ts";
import { luaEvidence } from "./evidence.ts";

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
