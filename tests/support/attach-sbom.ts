import { digestOf } from "@plimsoll/testing";

const manifestType = "application/vnd.oci.image.manifest.v1+json";
const bomType = "application/vnd.cyclonedx+json";

/**
 * Attaches a CycloneDX document to an image, as `oras attach` does.
 * @param repository `http://HOST:PORT/v2/NAME`
 * @returns the digest of the document
 */
export async function attachSbom(
  repository: string,
  authorization: string,
  { subject, document }: { readonly subject: string; readonly document: string },
): Promise<string> {
  const put = async (
    method: string,
    path: string,
    { body, type }: { readonly body: string; readonly type: string },
  ) => {
    const headers = { authorization, "content-type": type };
    const answer = await fetch(`${repository}${path}`, { method, headers, body });
    if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`);
  };
  const digest = (text: string) => digestOf(Buffer.from(text));
  for (const blob of ["{}", document])
    await put("POST", `/blobs/uploads/?digest=${digest(blob)}`, { body: blob, type: "application/octet-stream" });
  const manifest = JSON.stringify({
    ...{ schemaVersion: 2, mediaType: manifestType, artifactType: bomType },
    config: { mediaType: "application/vnd.oci.empty.v1+json", digest: digest("{}"), size: 2 },
    layers: [{ mediaType: bomType, digest: digest(document), size: Buffer.byteLength(document) }],
    subject: { mediaType: manifestType, digest: subject, size: 1 },
  });
  await put("PUT", `/manifests/${digest(manifest)}`, { body: manifest, type: manifestType });
  return digest(document);
}
