/** Folders of installed packages, of caches of package managers, and of the sources of Go and of Rust's standard library. */
const ofDependencies =
  /(?:^|\/)(?:node_modules|site-packages|dist-packages|gems|pkg\/mod|\.cargo\/(?:registry|git)|vendor\/[^/]+|deps\/[^/]+|\.nuget\/packages|\.pub-cache|\.build\/checkouts|rustlib\/src)\/|^usr\/(?:local|lib|share)\/go[^/]*\/src\//;

/** Whether a path is in a folder of installed packages. A lock file there lists what the package's authors used, not what is installed. */
export function isOfDependency(path: string): boolean {
  return ofDependencies.test(path);
}
