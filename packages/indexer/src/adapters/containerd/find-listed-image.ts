import { ScanError } from "@plimsoll/core";
import { formatImageReference, parseImageReference } from "@plimsoll/core/image";
import type { ContainerdClient, ListedImage } from "./containerd-client.ts";

/** An image and its namespace. */
export interface FoundImage extends ListedImage {
  readonly namespace: string;
}

/** The image to find, and where to look. */
export interface ImageQuestion {
  readonly client: ContainerdClient;
  readonly image: string;
  /** The namespaces to search, in this order. */
  readonly namespaces: readonly string[];
  /** Names containerd and its address in messages. */
  readonly where: string;
  readonly signal?: AbortSignal;
}

/**
 * Finds an image in the first namespace that has it: by its name in containerd, then by the full form of that name
 * (`nginx` is `docker.io/library/nginx:latest`), then by the beginning of its digest or of its id in Kubernetes.
 * @throws ScanError `not_found`, `unsupported_source` if an id matches several images, and the errors of the client
 */
export async function findListedImage(question: ImageQuestion): Promise<FoundImage> {
  const { client, image, namespaces, signal } = question;
  for (const namespace of namespaces) {
    for (const name of namesOf(image)) {
      const found = await client.findImage(name, namespace, signal);
      if (found !== undefined) return { ...found, namespace };
    }
    const found = await findById(question, namespace);
    if (found !== undefined) return { ...found, namespace };
  }
  throw await notFound(question);
}

function namesOf(image: string): readonly string[] {
  if (image.startsWith("sha256:")) return [image];
  try {
    return [...new Set([image, formatImageReference(parseImageReference(image))])];
  } catch {
    return [image];
  }
}

/** Kubernetes also lists an image by its id, which is the digest of its configuration. */
async function findById(
  { client, image, where, signal }: ImageQuestion,
  namespace: string,
): Promise<ListedImage | undefined> {
  const [, hex] = /(?:^|@)(?:sha256:)?([0-9a-f]{6,64})$/.exec(image) ?? [];
  if (hex === undefined) return undefined;
  const filters = [`target.digest~="^sha256:${hex}"`, `name~="^sha256:${hex}"`];
  const listed = await client.listImages(filters, namespace, signal);
  const digests = new Set(listed.map(({ target }) => target.digest));
  if (digests.size <= 1) return listed[0];
  throw new ScanError(
    "unsupported_source",
    `${where}: ${image} is the beginning of ${digests.size} images: give more digits`,
  );
}

async function notFound({ client, image, namespaces, where, signal }: ImageQuestion): Promise<ScanError> {
  const others = (await client.listNamespaces(signal)).filter((name) => !namespaces.includes(name));
  const places = `${namespaces.length === 1 ? "namespace" : "namespaces"} ${namespaces.join(" and ")}`;
  const elsewhere =
    others.length === 0 ? "" : `; others are ${others.join(", ")}: choose one with CONTAINERD_NAMESPACE`;
  return new ScanError(
    "not_found",
    `${where} has no image ${image} in the ${places}${elsewhere}; use registry:${image} for an image in a registry`,
  );
}
