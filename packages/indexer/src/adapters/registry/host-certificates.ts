import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { ScanError } from "@plimsoll/core";
import { fileProblem } from "@plimsoll/core/internal";
import type { HostTls } from "@plimsoll/outbound";
import { hasCode } from "@plimsoll/store";
import type { HostEnvironment } from "./host-environment.ts";

const maxFileBytes = 1024 * 1024;

/**
 * The certificates that docker, podman or skopeo keep for registries on this machine, by host with its port. They are in the first existing
 * folder `certs.d/HOST` of `~/.config/containers`, `/etc/containers` and `/etc/docker`. `*.crt` is trusted in addition to the platform's
 * certificates; `NAME.cert` with `NAME.key` is the client certificate. Files are read on the first connection to a host.
 * @param systemFolders the folders of the system
 * @see https://github.com/containers/image/blob/main/docs/containers-certs.d.5.md
 * @example
 * const certificates = hostCertificates(hostEnvironment());
 * const tls = certificates("registry.example.com:5000");
 */
export function hostCertificates(
  { variables, homeFolder }: HostEnvironment,
  systemFolders: readonly string[] = ["/etc/containers", "/etc/docker"],
): (host: string) => HostTls | undefined {
  const own = join(variables.XDG_CONFIG_HOME || join(homeFolder, ".config"), "containers");
  const found = new Map<string, HostTls | undefined>();
  return (host) => {
    if (!found.has(host)) found.set(host, readCertificates([own, ...systemFolders], host));
    return found.get(host);
  };
}

function readCertificates(folders: readonly string[], host: string): HostTls | undefined {
  if (!/^[\w[][^/\\]*$/.test(host)) return undefined; // the host becomes the name of a folder
  for (const folder of folders) {
    const path = join(folder, "certs.d", host);
    const names = listFolder(path);
    if (names !== undefined) return tlsOf(path, names);
  }
  return undefined;
}

function listFolder(path: string): readonly string[] | undefined {
  try {
    return readdirSync(path).sort();
  } catch (cause) {
    if (hasCode(cause, "ENOENT", "ENOTDIR")) return undefined;
    throw unreadable(path, cause);
  }
}

function tlsOf(folder: string, names: readonly string[]): HostTls {
  const read = (name: string) => readSmallFile(join(folder, name));
  const authorities = names.filter((name) => name.endsWith(".crt")).map(read);
  const [certificate] = names.filter((name) => name.endsWith(".cert"));
  const keyName = certificate?.replace(/cert$/, "key") ?? "";
  if (certificate !== undefined && !names.includes(keyName)) {
    throw new ScanError("unauthorized", `${join(folder, certificate)} has no key beside it: expected ${keyName}`);
  }
  return {
    ca: authorities.length > 0 ? [...platformCertificates(), ...authorities] : undefined,
    clientCertificate: certificate === undefined ? undefined : { certificate: read(certificate), key: read(keyName) },
  };
}

function readSmallFile(path: string): string {
  try {
    if (statSync(path).size > maxFileBytes) throw new Error(`more than ${maxFileBytes} bytes`);
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

function unreadable(path: string, cause: unknown): ScanError {
  return new ScanError("unauthorized", `the registry's certificates: ${fileProblem(path, "read", cause)}`, { cause });
}

/** Loads the module only when it is needed: it takes 6 ms, and most commands connect to no host. */
function platformCertificates(): readonly string[] {
  return process.getBuiltinModule("node:tls").getCACertificates("default");
}
