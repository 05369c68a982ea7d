import { type BuiltImage, type BuiltIndex, blobsOf } from "@plimsoll/testing";

/**
 * Pushes an image, or a list of images, as a client that shows its credentials at once.
 * @param repository `http://HOST:PORT/v2/NAME`
 * @throws Error for a status that is no success
 */
export async function pushImage(
  repository: string,
  authorization: string,
  { image, reference }: { readonly image: BuiltImage | BuiltIndex; readonly reference: string },
): Promise<void> {
  if (image.kind === "index") {
    for (const member of image.members)
      await pushImage(repository, authorization, { image: member, reference: member.digest });
    return pushManifest({ repository, authorization, image, reference });
  }
  for (const { digest, bytes } of blobsOf(image).filter((blob) => blob.digest !== image.digest)) {
    const url = `${repository}/blobs/uploads/?digest=${digest}`;
    await send(url, { method: "POST", headers: { authorization }, body: bytes });
  }
  await pushManifest({ repository, authorization, image, reference });
}

interface Pushed {
  readonly repository: string;
  readonly authorization: string;
  readonly image: BuiltImage | BuiltIndex;
  readonly reference: string;
}

async function pushManifest({ repository, authorization, image, reference }: Pushed): Promise<void> {
  const headers = { authorization, "content-type": image.mediaType };
  await send(`${repository}/manifests/${reference}`, { method: "PUT", headers, body: image.bytes });
}

async function send(url: string, init: RequestInit): Promise<void> {
  const answer = await fetch(url, init);
  if (answer.status !== 201) throw new Error(`${init.method} ${url}: ${answer.status} ${await answer.text()}`);
}
