/** The versions that an assembly has in three places. */
export interface AssemblyVersions {
  /** `ProductVersion`. Builds write the version of the package here, followed by a plus and the revision of the sources. */
  readonly product?: string | undefined;
  /** `FileVersion`: four numbers, the first three mostly those of the package. */
  readonly file?: string | undefined;
  /** The version of its identity. Many packages never change it, so that programs need not be rebuilt. */
  readonly identity: string;
}

const version = /^v?(\d{1,10}(?:\.\d{1,10}){1,3}(?:-[0-9a-z-]{1,40}(?:\.[0-9a-z-]{1,40}){0,5})?)(?:\+\S*)?(?:[ ,]|$)/i;
/** The mark of Microsoft's builds of releases. The version of the package does not have it. */
const ofReleases = /-(?:rtm|servicing)[.-]/i;

/**
 * The probable version of an assembly's package: the first valid one of the product's, the file's and the identity's version. Empty if there is
 * none, or all are 0.
 * @see https://learn.microsoft.com/en-us/dotnet/standard/library-guidance/versioning
 */
export function versionOfAssembly({ product, file, identity }: AssemblyVersions): string {
  const found = [product, file, identity].map(plainVersion).find((each) => each !== "");
  return found ?? "";
}

function plainVersion(text = ""): string {
  const [, found = ""] = version.exec(text.trim()) ?? [];
  const plain = found
    .split(ofReleases, 1)
    .join("")
    .replace(/^(\d+\.\d+\.\d+)\.0+(?=-|$)/, "$1");
  return /[1-9]/.test(plain) ? plain : "";
}
