import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { ScanError } from "@plimsoll/core";
import { fileProblem } from "@plimsoll/core/internal";
import type { HostTls } from "@plimsoll/outbound";
import { hasCode } from "@plimsoll/store";

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
