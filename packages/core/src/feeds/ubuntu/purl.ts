import { ubuntuReleases } from "../../distributions/shared/ubuntu-releases.ts";
import { esmServices } from "../../ecosystems/linux/ubuntu-pro.ts";

/** The package of an Ubuntu package URL. */
export interface UbuntuPackage {
  readonly name: string;
  /** `source` or an architecture. */
  readonly arch: string;
  /** The key of advisories: `ubuntu:22.04`, `ubuntu:16.04:esm-infra`. */
  readonly key: string;
}

const services: ReadonlySet<string> = new Set(esmServices);

/**
 * Parses `pkg:deb/ubuntu/NAME@VERSION?arch=source&distro=[SERVICE/]CODENAME`. Undefined for other package URLs, for unknown releases, and for
 * services other than longer support (FIPS builds, real-time kernels).
 */
export function readUbuntuPurl(purl: string): UbuntuPackage | undefined {
  const [, name = "", query = ""] = /^pkg:deb\/ubuntu\/([^@?#/]+)(?:@[^?#]*)?\?([^#]*)/.exec(purl) ?? [];
  const qualifiers = new Map(
    query.split("&").map((pair) => [pair.split("=", 1)[0], pair.slice(pair.indexOf("=") + 1)]),
  );
  const [codeName = "", service, ...more] = (qualifiers.get("distro") ?? "").split("/").reverse();
  const release = ubuntuReleases.get(codeName);
  if (release === undefined || more.length > 0 || (service !== undefined && !services.has(service))) return undefined;
  const key = service === undefined ? `ubuntu:${release}` : `ubuntu:${release}:${service}`;
  return { name, arch: qualifiers.get("arch") ?? "", key };
}
