import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { ScanError } from "@plimsoll/core";
import { fileProblem } from "@plimsoll/core/internal";
import { findErrorCode, type HostTls } from "@plimsoll/outbound";
import { hasCode } from "@plimsoll/store";

/** The address of a container engine: a Unix socket of this machine, or a host. */
export type EngineAddress =
  | { readonly kind: "socket"; readonly path: string }
  | { readonly kind: "host"; readonly url: URL; readonly tls: HostTls };

/** The supported container engines. */
const engineNames = ["docker", "podman", "containerd"] as const;

/** One of {@link engineNames}. */
export type EngineName = (typeof engineNames)[number];

/** Finds the addresses of container engines. It is called when an image is opened. */
export interface EngineHosts {
  /** The namespaces of containerd to search, in this order. Default: `default`, then `k8s.io`. */
  readonly namespaces?: readonly string[];
  /** @throws ScanError `unsupported_source` for an unsupported kind of address, `not_found` if there is no engine */
  find(engine: EngineName): Promise<EngineAddress>;
}

/** Formats an address as users write it. */
export function formatEngineAddress(address: EngineAddress): string {
  return address.kind === "socket" ? `unix://${address.path}` : address.url.origin;
}

/**
 * Parses the address of a container engine.
 *
 *     unix://PATH | tcp://HOST[:PORT] | http://HOST[:PORT] | https://HOST[:PORT]
 *
 * @param variable the source of the text, for messages
 * @param tls TLS settings for a host; undefined: no TLS, unless the address is `https`
 * @throws ScanError `unsupported_source`
 */
export function parseEngineHost(text: string, variable: string, tls: HostTls | undefined): EngineAddress {
  const [, kind = "", rest = ""] = /^([a-z]+):\/\/(.+)$/s.exec(text) ?? [];
  switch (kind) {
    case "unix":
      return { kind: "socket", path: rest };
    case "tcp":
    case "http":
    case "https": {
      const isSecure = tls !== undefined || kind === "https";
      const url = parseUrl(`${isSecure ? "https" : "http"}://${rest}`, text, variable);
      if (url.port === "" && kind === "tcp") url.port = isSecure ? "2376" : "2375";
      return { kind: "host", url, tls: tls ?? {} };
    }
    default:
      throw malformed(text, variable);
  }
}

function parseUrl(url: string, text: string, variable: string): URL {
  if (!URL.canParse(url)) throw malformed(text, variable);
  return new URL(url);
}

function malformed(text: string, variable: string): ScanError {
  const expected = `${variable}: expected unix://PATH or tcp://HOST:PORT, found "${text}"`;
  return new ScanError(
    "unsupported_source",
    `${expected}; or save the image to an archive on that machine and scan the archive`,
  );
}

const maxFileBytes = 1024 * 1024;

/**
 * Reads the TLS settings of an engine from a folder: `ca.pem`, `cert.pem` and `key.pem`, as far as they exist.
 * @throws ScanError `unauthorized` for an unreadable file, and for a certificate without its key or a key without its certificate
 * @see https://docs.docker.com/engine/security/protect-access/
 */
export async function readEngineTls(folder: string, trust: "verified" | "unverified"): Promise<HostTls> {
  const [ca, certificate, key] = [
    await readPem(join(folder, "ca.pem")),
    await readPem(join(folder, "cert.pem")),
    await readPem(join(folder, "key.pem")),
  ];
  if ((certificate === undefined) !== (key === undefined))
    throw new ScanError("unauthorized", `${folder}: expected cert.pem and key.pem, found only one of them`);
  return {
    ca,
    clientCertificate: certificate !== undefined && key !== undefined ? { certificate, key } : undefined,
    isVerified: trust === "unverified" ? false : undefined,
  };
}

async function readPem(path: string): Promise<string | undefined> {
  try {
    if ((await stat(path)).size > maxFileBytes) throw new Error(`more than ${maxFileBytes} bytes`);
    return await readFile(path, "utf8");
  } catch (cause) {
    if (hasCode(cause, "ENOENT", "ENOTDIR")) return undefined;
    throw new ScanError("unauthorized", `the engine's certificates: ${fileProblem(path, "read", cause)}`, { cause });
  }
}

/**
 * Explains a failed request to a container engine. A ScanError is returned unchanged.
 * @param where names the engine and its address
 */
export function toUnreachable(error: unknown, where: string, signal: AbortSignal | undefined): unknown {
  if (error instanceof ScanError) return error;
  if (signal?.aborted) return new ScanError("aborted", `reading from ${where} was cancelled`, { cause: error });
  const code = findErrorCode(error);
  if (code === "EACCES" || code === "EPERM")
    return new ScanError("not_permitted", `${where} cannot be used: you have no permission for its socket`, {
      cause: error,
    });
  const reason = code ?? (error instanceof Error ? error.message : String(error));
  return new ScanError("source_unreachable", `${where} cannot be reached (${reason})`, { cause: error });
}
