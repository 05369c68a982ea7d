import { cpeVersions } from "../cpe/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { conanLockFiles } from "./lock-files.ts";

/** Conan: the C and C++ libraries that a folder of code is resolved to. Their versions are written as each project likes. */
export const conan = defineLanguage({
  name: "conan",
  ecosystem: "ConanCenter",
  repository: "conan",
  fileDetectors: [],
  lockFileDetectors: conanLockFiles,
  versions: cpeVersions,
  purl: ["conan"],
  assesses: ["cpp"],
});
