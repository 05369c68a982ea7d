/**
 * The ecosystems whose advisories are fetched for a database without images: the distributions and languages of most images.
 * Each name is the first part of advisory keys.
 */
export const defaultEcosystems: ReadonlySet<string> = new Set([
  "Go",
  "Maven",
  "NuGet",
  "Packagist",
  "PyPI",
  "RubyGems",
  "almalinux",
  "alpine",
  "amzn",
  "crates.io",
  "debian",
  "npm",
  "rocky",
  "ubuntu",
  "wolfi",
]);
