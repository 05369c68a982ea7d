/** Images whose manifests, signatures and keys cost the server as much as a tenant can make them cost. */
import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { isScanned } from "./large-image.ts";
import { call, type ServedRegistry } from "./registry.ts";

const manifestType = "application/vnd.oci.image.manifest.v1+json";
const indexType = "application/vnd.oci.image.index.v1+json";
const organization = "costly";

const times = <T>(count: number, make: (at: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, at) => make(at));
const sha = (bytes: Uint8Array | string) => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

/** Creates an organization with an enforced gate that refuses images which are not scanned. @returns its name */
export async function createGatedOrganization(registry: ServedRegistry): Promise<string> {
  const { bearer: authorization } = registry;
  const body = { name: organization };
  await call(registry, { method: "POST", path: "/api/v1/organization/", authorization, body });
  await changeGate(registry, 0);
  return organization;
}

/** Changes the gate of the organization, after which no cached decision is valid. @param count another value each time */
export async function changeGate(registry: ServedRegistry, count: number): Promise<void> {
  const path = `/api/v1/organization/${organization}/pullgate`;
  const body = { mode: "enforce", severity: count % 2 === 0 ? "High" : "Critical", pending: "deny" };
  await call(registry, { method: "PUT", path, authorization: registry.bearer, body });
}

/** Pushes 100 indexes of 58 KB, with 6,500 members each, as tags of a repository. */
export async function pushIndexes(registry: ServedRegistry, repository: string): Promise<void> {
  const layer = await pushBlob(registry, repository, "no layer at all");
  const config = await pushBlob(registry, repository, "{}");
  const image = { schemaVersion: 2, mediaType: manifestType, config, layers: [layer] };
  const child = await putManifest(registry, `${repository}:child`, image);
  const manifests = [{ mediaType: manifestType, digest: child, size: JSON.stringify(image).length }];
  for (const at of times(100, (each) => each)) {
    const x = Object.fromEntries(times(6500, (member) => [`${member}`, at % 10]));
    const index = { schemaVersion: 2, mediaType: indexType, manifests, x };
    await putManifest(registry, `${repository}:index-${at}`, index);
  }
}

/** Changes when a tag of {@link pushIndexes} expires, after which no cached page is valid. @param count another value each time */
export async function changeExpiration(registry: ServedRegistry, repository: string, count: number): Promise<void> {
  const body = { expiration: Math.floor(Date.now() / 1000) + 86_400 + count };
  const path = `/api/v1/repository/${repository}/tag/index-0`;
  await call(registry, { method: "PUT", path, authorization: registry.bearer, body });
}

/** Pushes 40 images with manifests of 3.4 MB that have one layer. @returns the digest of the layer */
export async function pushSharing(registry: ServedRegistry, repository: string): Promise<string> {
  const config = await pushBlob(registry, repository, "{}");
  const layer = await pushBlob(registry, repository, "shared by all");
  for (const at of times(40, (each) => each)) {
    const annotations = Object.fromEntries(times(900, (each) => [`k${each}`, "v".repeat(3700)]));
    const image = { schemaVersion: 2, mediaType: manifestType, config, layers: [layer], annotations };
    await putManifest(registry, `${repository}:large-${at}`, { ...image, x: at });
  }
  return layer.digest;
}

/**
 * Pushes an image with attestations, none of which one of the 20 keys of the gate has signed: one of 3 MB, and further ones with the
 * largest payload of which signatures are checked. Each has 32 signatures. @returns the digest of the image
 */
export async function pushAttested(registry: ServedRegistry, repository: string): Promise<string> {
  const config = await pushBlob(registry, repository, "{}");
  const emptyArchive = await pushBlob(registry, repository, "\0".repeat(1024));
  const layers = [{ ...emptyArchive, mediaType: "application/vnd.oci.image.layer.v1.tar" }];
  const image = { schemaVersion: 2, mediaType: manifestType, config, layers };
  const digest = await putManifest(registry, `${repository}:attested`, image);
  await isScanned(registry, repository, digest);
  const pair = () => generateKeyPairSync("rsa", { modulusLength: 2048 });
  const { privateKey } = pair();
  const path = `/api/v1/organization/${organization}/pullgate/keys`;
  for (const [at, { publicKey }] of times(20, pair).entries()) {
    const body = { name: `key ${at}`, public_key: String(publicKey.export({ type: "spki", format: "pem" })) };
    await call(registry, { method: "POST", path, authorization: registry.bearer, body });
  }
  const mediaType = "application/vnd.dsse.envelope.v1+json";
  const subject = { mediaType: manifestType, digest, size: JSON.stringify(image).length };
  for (const [at, bytes] of [2_200_000, 190_000, 190_000, 190_000].entries()) {
    const document = envelope({ digest, bytes, at }, privateKey);
    const attached = { ...(await pushBlob(registry, repository, document)), mediaType };
    const artifact = { schemaVersion: 2, mediaType: manifestType, artifactType: mediaType, config };
    await putManifest(registry, `${repository}:attestation-${at}`, { ...artifact, layers: [attached], subject });
  }
  return digest;
}

/** An attestation of a VEX document with 32 signatures. */
function envelope(of: { readonly digest: string; readonly bytes: number; readonly at: number }, key: KeyObject) {
  const predicateType = "https://openvex.dev/ns/v0.2.0";
  const subject = [{ name: "image", digest: { sha256: of.digest.replace("sha256:", "") } }];
  const statements = [{ vulnerability: { name: "CVE-1999-1000" }, products: [of.digest], status: "fixed" }];
  const predicate = { "@context": predicateType, statements, filler: `${of.at}`.repeat(of.bytes) };
  const statement = { _type: "https://in-toto.io/Statement/v1", subject, predicateType, predicate };
  const payload = Buffer.from(JSON.stringify(statement)).toString("base64");
  const sig = sign("sha256", Buffer.from("another text"), key).toString("base64");
  const signatures = times(32, () => ({ sig }));
  return JSON.stringify({ payloadType: "application/vnd.in-toto+json", payload, signatures });
}

async function pushBlob(registry: ServedRegistry, repository: string, text: string) {
  const [digest, body] = [sha(text), Buffer.from(text)];
  const path = `/v2/${repository}/blobs/uploads/?digest=${digest}`;
  const contentType = "application/octet-stream";
  await call(registry, { method: "POST", path, authorization: registry.basic, body, contentType });
  return { mediaType: contentType, digest, size: body.length };
}

async function putManifest(
  registry: ServedRegistry,
  name: string,
  content: { readonly mediaType: string; readonly [member: string]: unknown },
) {
  const { mediaType: contentType } = content;
  const body = Buffer.from(JSON.stringify(content));
  const path = `/v2/${name.replace(":", "/manifests/")}`;
  await call(registry, { method: "PUT", path, authorization: registry.basic, body, contentType });
  return sha(body);
}
