/** The form of package URLs for the packages of one language. */
export interface LanguagePurl {
  readonly type: string;
  /** The separator whose last occurrence in the package's name divides namespace and name; absent where there is no namespace. */
  readonly separator?: string;
  /** The qualifiers of package URLs that say which package it is, besides its name and version. */
  readonly qualifiers?: readonly string[];
  /** The qualifier that is the architecture. */
  readonly arch?: string;
  /** Set if the namespace is the vendor, which is no part of the name. */
  readonly hasVendors?: true;
}

/**
 * The package types of languages by the names of their repositories, which identify the language of a package.
 * @see https://github.com/package-url/purl-spec/tree/main/types
 */
export const languagePurls: ReadonlyMap<string, LanguagePurl> = new Map<string, LanguagePurl>([
  ["bitnami", { type: "bitnami" }],
  ["cocoapods", { type: "cocoapods" }],
  ["conan", { type: "conan", qualifiers: ["channel", "user"], hasVendors: true }],
  ["conda", { type: "conda", qualifiers: ["build", "channel", "subdir"], arch: "subdir" }],
  ["cpan", { type: "cpan" }],
  ["cran", { type: "cran" }],
  ["crates.io", { type: "cargo" }],
  ["flatpak", { type: "flatpak" }],
  ["generic", { type: "generic" }],
  ["go", { type: "golang", separator: "/" }],
  ["hackage", { type: "hackage" }],
  ["hex", { type: "hex" }],
  ["homebrew", { type: "brew" }],
  ["luarocks", { type: "luarocks" }],
  ["maven", { type: "maven", separator: ":" }],
  ["nix", { type: "nix" }],
  ["npm", { type: "npm", separator: "/", qualifiers: ["private"] }],
  ["nuget", { type: "nuget" }],
  ["otp", { type: "otp" }],
  ["packagist", { type: "composer", separator: "/" }],
  ["pear", { type: "pear", separator: "/" }],
  ["pub", { type: "pub" }],
  ["pypi", { type: "pypi" }],
  ["rubygems", { type: "gem" }],
  ["snap", { type: "snap" }],
  ["swift", { type: "swift", separator: "/" }],
  ["vcpkg", { type: "vcpkg" }],
  ["wordpress", { type: "wordpress", separator: "/" }],
]);
