import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A self-signed certificate of `127.0.0.1` and `localhost` for tests, with its key, in PEM. */
export interface LoopbackCertificate {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly certFile: string;
  readonly keyFile: string;
}

/** Reads the certificate of tests. */
export function loopbackCertificate(): LoopbackCertificate {
  const [certFile, keyFile] = [fileOf("cert"), fileOf("key")];
  return { cert: readFileSync(certFile), key: readFileSync(keyFile), certFile, keyFile };
}

function fileOf(name: "cert" | "key"): string {
  return fileURLToPath(new URL(`../src/certificates/loopback.${name}.pem`, import.meta.url));
}
