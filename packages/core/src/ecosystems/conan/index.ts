import { cpeVersions } from "../cpe/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { conanLockFiles } from "./lock-files.ts";

/** C and C++ libraries of Conan that a folder of source code needs. Their versions have no common form. */
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
