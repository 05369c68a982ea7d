/** Ubuntu's releases by code name, as in package URLs of its own feeds and of OSV-SCALIBR. @see https://ubuntu.com/about/release-cycle */
export const ubuntuReleases: ReadonlyMap<string, string> = new Map([
  ["trusty", "14.04"],
  ["xenial", "16.04"],
  ["bionic", "18.04"],
  ["focal", "20.04"],
  ["groovy", "20.10"],
  ["hirsute", "21.04"],
  ["impish", "21.10"],
  ["jammy", "22.04"],
  ["kinetic", "22.10"],
  ["lunar", "23.04"],
  ["mantic", "23.10"],
  ["noble", "24.04"],
  ["oracular", "24.10"],
  ["plucky", "25.04"],
  ["questing", "25.10"],
  ["resolute", "26.04"],
]);
