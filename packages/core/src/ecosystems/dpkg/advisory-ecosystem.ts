import type { Distribution } from "../../model/distribution.ts";
import { debianVersion } from "./debian-releases.ts";

/**
 * The key of the advisories for packages of a Debian release: `debian:12`, `debian:sid`. An image of testing or sid
 * names no version; it then goes by its code name.
 *
 * Derivatives get no key, though their `ID_LIKE` says debian: Raspbian, Kali, Devuan and Proxmox rebuild or replace
 * packages under versions of their own, so that a Debian version says nothing about them. Distroless images call
 * themselves `debian` and hold Debian's packages as they are.
 */
export function debianEcosystem({ did, versionId, versionCodeName }: Distribution): string | undefined {
  if (did !== "debian") return undefined;
  const major = /^\d+/.exec(versionId ?? "")?.[0];
  if (major !== undefined) return `debian:${major}`;
  return versionCodeName ? `debian:${debianVersion(versionCodeName)}` : undefined;
}

/**
 * The key of the advisories for packages of an Ubuntu release: `ubuntu:22.04`. Derivatives (Mint, Pop!_OS, elementary)
 * get none: they number their releases differently or replace packages.
 */
export function ubuntuEcosystem({ did, versionId }: Distribution): string | undefined {
  const version = /^\d+\.\d+/.exec(versionId ?? "")?.[0];
  return did === "ubuntu" && version !== undefined ? `ubuntu:${version}` : undefined;
}
