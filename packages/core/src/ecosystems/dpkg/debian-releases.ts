/** The releases of Debian by code name, from the first that the security tracker still names. */
const versionByCodeName: ReadonlyMap<string, string> = new Map([
  ["etch", "4"],
  ["lenny", "5"],
  ["squeeze", "6"],
  ["wheezy", "7"],
  ["jessie", "8"],
  ["stretch", "9"],
  ["buster", "10"],
  ["bullseye", "11"],
  ["bookworm", "12"],
  ["trixie", "13"],
  ["forky", "14"],
  ["duke", "15"],
  ["unstable", "sid"],
]);

/**
 * The version of a release of Debian: `12`. A release in preparation already has the number it will be released
 * under; `sid` never gets one, and a code name that is not known yet stands for itself.
 * @see https://wiki.debian.org/DebianReleases
 */
export function debianVersion(codeName: string): string {
  return versionByCodeName.get(codeName) ?? codeName;
}
