/**
 * Products that are looked up by CPE name, because no feed of an ecosystem covers them. Each is a list of its names, `vendor:product`. A
 * product has several if its vendor changed: the dictionary of CPE names keeps the old name for old vulnerabilities.
 */
const products: readonly (readonly string[])[] = [
  ["busybox:busybox"],
  ["dropbear_ssh_project:dropbear_ssh", "matt_johnston:dropbear_ssh_server"],
  ["ffmpeg:ffmpeg"],
  ["git-scm:git"],
  ["gnu:bash"],
  ["gnu:glibc"],
  ["gnu:gnutls"],
  ["gnu:tar"],
  ["gnu:wget"],
  ["gnupg:gnupg"],
  ["haxx:curl", "haxx:libcurl"],
  ["helm:helm"],
  ["imagemagick:imagemagick"],
  ["isc:bind"],
  ["libarchive:libarchive"],
  ["libexpat_project:libexpat", "libexpat:expat"],
  ["lighttpd:lighttpd"],
  ["musl-libc:musl"],
  ["openbsd:openssh"],
  ["openssl:openssl"],
  ["perl:perl"],
  ["samba:rsync"],
  ["sqlite:sqlite"],
  ["sudo_project:sudo", "todd_miller:sudo"],
  ["thekelleys:dnsmasq"],
  ["traefik:traefik", "containous:traefik"],
  ["tukaani:xz"],
  ["varnish_cache_project:varnish_cache", "varnish-cache:varnish", "varnish-software:varnish_cache"],
  ["vim:vim"],
  ["xmlsoft:libxml2"],
  ["zlib:zlib", "gnu:zlib"],
];

const byName: ReadonlyMap<string, readonly string[]> = new Map(
  products.flatMap((names) => names.map((name) => [name, names] as const)),
);

/** All names of the product with the given name (`vendor:product`); empty if it is not listed. */
export function productNames(name: string): readonly string[] {
  return byName.get(name) ?? [];
}
