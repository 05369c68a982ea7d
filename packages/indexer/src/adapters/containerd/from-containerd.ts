import { ScanError } from "@plimsoll/core";
import { formatImageReference, type ImageSource, parseImageReference } from "@plimsoll/core/image";
import { findImages, type ImageStore, maxDocumentBytes } from "@plimsoll/core/internal";
import { type EngineAddress, formatEngineAddress } from "../engine/engine-address.ts";
import type { EngineOptions } from "../engine/from-engine.ts";
import { hostEngines } from "../engine/host-engines.ts";
import { readDocument } from "../registry/read-document.ts";
import type { ContainerdClient, ListedImage } from "./containerd-client.ts";

/** The namespaces to search by default: that of users, then that of Kubernetes. */
const defaultNamespaces = ["default", "k8s.io"];

/**
 * The source of an image in the store of containerd, named by its name, the digest of its manifest or its id in Kubernetes. Layers are
 * read from the store as they were pulled, one stream each.
 * @throws ScanError `unsupported_source` for a text that cannot name an image
 * @see https://github.com/containerd/containerd/blob/main/docs/content-flow.md
 * @example
 * const source = fromContainerd("nginx:1.27", { engines: hostEngines(hostEnvironment()) });
 */
export function fromContainerd(image: string, { engines = hostEngines(bare) }: EngineOptions = {}): ImageSource {
  const name = `containerd:${image}`;
  if (!/^[\w.\-/:@]{1,512}$/.test(image))
    throw new ScanError("unsupported_source", `${name}: expected the name or the id of an image`);
  return {
    name,
    open: async (opening) => {
      const { signal } = opening;
      const address = await engines.find("containerd");
      const where = `containerd at ${formatEngineAddress(address)}`;
      await using resources = new AsyncDisposableStack();
      const { openContainerdClient } = await import("./containerd-client.ts"); // only this source loads the protocol
      const client = resources.use(await openContainerdClient(socketOf(address), where));
      const { namespaces = defaultNamespaces } = engines;
      const found = await findListedImage({ client, image, namespaces, where, signal });
      const store = containerdStore(client, found, signal);
      const images = await findImages([found.target], store, { choice: opening, reference: found.name });
      const opened = resources.move();
      return { images, [Symbol.asyncDispose]: () => opened.disposeAsync() };
    },
  };
}

/** An environment without variables and home folder. */
const bare = { variables: {}, homeFolder: "/" };

function socketOf(address: EngineAddress): string {
  if (address.kind === "socket") return address.path;
  const found = formatEngineAddress(address);
  throw new ScanError("unsupported_source", `CONTAINERD_ADDRESS: expected a socket of this machine, found ${found}`);
}

function containerdStore(
  client: ContainerdClient,
  { name, namespace }: FoundImage,
  ofSource: AbortSignal | undefined,
): ImageStore<never> {
  const read = async function* (digest: string, what: string, given?: AbortSignal) {
    const signals = [ofSource, given].filter((one) => one !== undefined);
    try {
      yield* client.readContent(digest, namespace, AbortSignal.any(signals));
    } catch (error) {
      throw error instanceof ScanError && error.code === "not_found"
        ? missing(error, what, { name, namespace })
        : error;
    }
  };
  return {
    readDocument: ({ digest, platform }) => {
      const what = platform === undefined ? "it" : `it for ${platform.os}/${platform.architecture}`;
      return readDocument(read(digest, what), maxDocumentBytes, `document ${digest} of ${name}`);
    },
    toLayer: ({ digest, sizeBytes, diffId, mediaType }) => ({
      kind: "blob",
      digest,
      mediaType,
      expected: { digest, sizeBytes, diffId },
      reopens: true,
      open: (signal) => read(digest, "all of its layers", signal),
    }),
  };
}

/** The error for missing content: containerd often keeps only one platform, and discards unpacked or lazily fetched layers. */
function missing(
  cause: ScanError,
  what: string,
  image: { readonly name: string; readonly namespace: string },
): ScanError {
  const { name, namespace } = image;
  const because = "only another platform was pulled, or layers are discarded after unpacking, or fetched lazily";
  const remedy = `fetch it with ctr -n ${namespace} content fetch ${name}, choose another platform with --platform, or scan registry:${name}`;
  return new ScanError(
    "not_found",
    `${name}: containerd lists the image but does not have ${what} (${because}); ${remedy}`,
    {
      cause,
    },
  );
}

/** An image and its namespace. */
interface FoundImage extends ListedImage {
  readonly namespace: string;
}

/** The image to find, and where to look. */
interface ImageQuestion {
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
async function findListedImage(question: ImageQuestion): Promise<FoundImage> {
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
