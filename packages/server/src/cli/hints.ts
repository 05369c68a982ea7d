/** What people type who know another scanner, and what does it here. */
const flagHints: Readonly<Record<string, string>> = {
  "--db-update": "run plimsoll db update",
  "--exit-code": "--fail-on high+ ends with exit code 1",
  "--exclude": "there is no such filter yet",
  "--file": "-o json=FILE writes a result to a file",
  "--ignore-unfixed": "--show fixable shows only what has a fix",
  "--image": "write the image without a flag: plimsoll scan nginx:1.27",
  "--input": "write the file without a flag: plimsoll scan image.tar",
  "--only-fixed": "--show fixable shows only what has a fix",
  "--output-file": "-o json=FILE writes a result to a file",
  "--scanners": "plimsoll looks for vulnerable packages only",
  "--severity": "--show high+ shows only such findings, --fail-on high+ fails for them",
  "-s": "--show high+ shows only such findings, --fail-on high+ fails for them",
  "--skip-db-update": "a scan never updates the database; plimsoll db update does",
  "--template": "the formats are those of --output",
};

/** How what was typed is said here, for the end of an error message; undefined for a word that nobody else knows. */
export function hintFor(message: string): string | undefined {
  const [, flag = ""] = /^unknown option '(--?[a-z-]+)/.exec(message) ?? [];
  return flagHints[flag];
}
