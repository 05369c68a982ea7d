import { scryptSync } from "node:crypto";
import { xsalsa20poly1305 } from "@noble/ciphers/salsa.js";
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { UsageError } from "../cli/exit-code.ts";
import type { CliIo } from "../cli/io.ts";

/** The most memory and rounds for deriving a key from a password: a file may ask for any. */
const [maxScryptBytes, maxParallel] = [512 * 1024 ** 2, 16];

const Sealed = Type.Object({
  kdf: Type.Object({
    name: Type.Literal("scrypt"),
    params: Type.Object({ N: Type.Integer(), r: Type.Integer(), p: Type.Integer({ maximum: maxParallel }) }),
    salt: Type.String(),
  }),
  cipher: Type.Object({ name: Type.Literal("nacl/secretbox"), nonce: Type.String() }),
  ciphertext: Type.String(),
});

/**
 * Decrypts a key of cosign: the base64 form of {@link Sealed}, in which bytes are base64, too.
 * @see https://github.com/sigstore/cosign/blob/main/pkg/cosign/keys.go
 * @returns PKCS #8 in PEM
 * @throws UsageError without the password, with a wrong one, and for another kind of key
 */
export function openCosignKey(sealed: string, { place, env }: Pick<CliIo, "env"> & { readonly place: string }): string {
  const password = env.COSIGN_PASSWORD;
  if (password === undefined) {
    throw new UsageError(`${place}: the key is encrypted: set COSIGN_PASSWORD to its password, as for cosign`);
  }
  const { kdf, cipher, ciphertext } = parseSealed(sealed, place);
  const bytes = (text: string) => Buffer.from(text, "base64");
  try {
    const key = scryptSync(password, bytes(kdf.salt), 32, { ...kdf.params, maxmem: maxScryptBytes });
    const der = xsalsa20poly1305(key, bytes(cipher.nonce)).decrypt(bytes(ciphertext));
    return `-----BEGIN PRIVATE KEY-----\n${Buffer.from(der).toString("base64")}\n-----END PRIVATE KEY-----\n`;
  } catch (cause) {
    throw new UsageError(`${place}: COSIGN_PASSWORD is not the password of the key, or the key is damaged`, { cause });
  }
}

function parseSealed(sealed: string, place: string): Static<typeof Sealed> {
  try {
    return Value.Parse(Sealed, JSON.parse(Buffer.from(sealed, "base64").toString()));
  } catch (cause) {
    throw new UsageError(`${place}: expected a key of cosign with scrypt and nacl/secretbox`, { cause });
  }
}
