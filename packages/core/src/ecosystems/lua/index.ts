import { numericVersions } from "../../versions/numeric/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { luaDetector } from "./detector.ts";

/** Packages of Lua that LuaRocks has installed. */
export const lua = defineLanguage({
  name: "lua",
  ecosystem: "LuaRocks",
  repository: "luarocks",
  fileDetectors: [luaDetector],
  versions: numericVersions,
  purl: ["luarocks"],
  assesses: ["lua"],
});
