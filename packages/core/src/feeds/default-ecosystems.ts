/**
 * The ecosystems whose advisories are fetched for a database that knows no image yet, named as advisory keys begin: the
 * distributions and languages that most images have.
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
