/**
 * The version that the linker flags in the build information give a program:
 *
 * ```text
 * flags = {… "-X" package "." variable "=" value …}      a flag with blanks is in quotes; quotes in quotes follow a backslash
 * ```
 * @see https://pkg.go.dev/cmd/link
 */
const setting =
  /-X[ =]\\?["']?([^\s'"\\=]{1,200})\.(\w{1,60})=v?(\d+\.\d+\.\d+(?:-(?:alpha|beta|rc)[.\d]*)?)(?=['"\\\s]|$)/g;
/** Packages of other modules whose variables are there for the version of the program that is built. */
const versionPackages: ReadonlySet<string> = new Set([
  "github.com/prometheus/common/version",
  "k8s.io/client-go/pkg/version",
  "k8s.io/component-base/version",
]);
/** `version`, `Version`, `gitVersion`, `buildVersion`. */
const versionVariable = /^(?:[a-z]+V|[Vv])ersion$/;

/**
 * The version to which the flags set variables of the main module, of its command or of {@link versionPackages}; undefined if there is none, or if several differ.
 * @param flags the value of the setting `-ldflags`
 */
export function linkedVersion(flags: string, mainModule: string): string | undefined {
  const found = new Set<string>();
  for (const [, place = "", variable = "", version = ""] of flags.matchAll(setting)) {
    const isOwn =
      place === "main" || place === mainModule || place.startsWith(`${mainModule}/`) || versionPackages.has(place);
    if (isOwn && versionVariable.test(variable)) found.add(`v${version}`);
  }
  const [version] = found;
  return found.size === 1 ? version : undefined;
}
