/** Adapters whose libraries are not installed: each use fails with an error that names the package. */
import { parseDigest } from "@plimsoll/core/digest";
import { ldapDirectory } from "@plimsoll/registry-adapters/ldap";
import { openSmtpMailer } from "@plimsoll/registry-adapters/mail";
import { oidcProvider } from "@plimsoll/registry-adapters/oidc";
import { createS3BlobStore } from "@plimsoll/registry-adapters/s3";

const credentials = { accessKeyId: "a", secretAccessKey: "b" };
const blobs = createS3BlobStore({ endpoint: "http://127.0.0.1:9", region: "a", bucket: "b", ...credentials });
const directory = ldapDirectory({ url: "ldap://127.0.0.1:9", bindDn: "cn=a", bindPassword: "b" });
const provider = oidcProvider(
  { service: "a", title: "A", issuer: "https://127.0.0.1:9", clientId: "a" },
  { ask: (url, init) => fetch(url, init) },
);
const begin = { redirectUri: "https://a.example/", state: "a", nonce: "b", codeVerifier: "c" };
await using mailer = openSmtpMailer({ url: "smtp://127.0.0.1:9", from: "a@example.com" });

const uses: Readonly<Record<string, () => Promise<unknown>>> = {
  aws4fetch: () => blobs.find(parseDigest(`sha256:${"0".repeat(64)}`)),
  ldapts: () => directory.listGroup("cn=a"),
  nodemailer: () => mailer.send({ to: "b@example.com", subject: "a", text: "b" }),
  oauth4webapi: () => provider.begin(begin),
};
for (const [name, use] of Object.entries(uses)) {
  const messages = messagesOf(await use().catch((error: unknown) => error));
  if (!messages.some((each) => each.endsWith(`npm install ${name}`)))
    throw new Error(`${name}: ${messages.join(", ")}`);
}
console.log(Object.keys(uses).join(", "));

function messagesOf(error: unknown): string[] {
  return error instanceof Error ? [error.message, ...messagesOf(error.cause)] : [];
}
