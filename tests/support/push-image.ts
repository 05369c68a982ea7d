import { type BuiltImage, blobsOf } from "@plimsoll/testing";

/**
 * Pushes an image as a client that shows its credentials at once.
 * @param repository `http://HOST:PORT/v2/NAME`
 * @throws Error for a status that is no success
 */
export async function pushImage(
  repository: string,
  authorization: string,
  image: BuiltImage,
  reference: string,
): Promise<void> {
  for (const { digest, bytes } of blobsOf(image).filter((blob) => blob.digest !== image.digest)) {
    const url = `${repository}/blobs/uploads/?digest=${digest}`;
    await send(url, { method: "POST", headers: { authorization }, body: bytes });
  }
  const headers = { authorization, "content-type": image.mediaType };
  await send(`${repository}/manifests/${reference}`, { method: "PUT", headers, body: image.bytes });
}

async function send(url: string, init: RequestInit): Promise<void> {
  const answer = await fetch(url, init);
  if (answer.status !== 201) throw new Error(`${init.method} ${url}: ${answer.status} ${await answer.text()}`);
}
