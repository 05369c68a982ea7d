import { esmServices } from "../../ecosystems/linux/ubuntu-pro.ts";
import { ubuntuReleases } from "./releases.ts";

/** What a package URL of Ubuntu is about. */
export interface UbuntuPackage {
  readonly name: string;
  /** `source` or an architecture. */
  readonly arch: string;
  /** The key of advisories: `ubuntu:22.04`, `ubuntu:16.04:esm-infra`. */
  readonly key: string;
}

const services: ReadonlySet<string> = new Set(esmServices);

/**
 * Reads `pkg:deb/ubuntu/NAME@VERSION?arch=source&distro=[SERVICE/]CODENAME`; undefined for other package URLs, for releases that are not
 * known and for services that are not about longer support (FIPS builds, real-time kernels).
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
