/** The name in advisories of the package at a Git address: `github.com/apple/swift-nio`. */
export function packageNameOf(location: string): string {
  const path = location
    .trim()
    .replace(/^[a-z+]{1,10}:\/\//i, "")
    .replace(/^[\w.-]{1,64}@/, "")
    .replace(/^([\w.-]{1,255}):(?!\d)/, "$1/");
  return path
    .replace(/\/$/, "")
    .replace(/\.git$/, "")
    .toLowerCase();
}
