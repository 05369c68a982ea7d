import { ScanError } from "@plimsoll/core";
import type { ImageSource } from "@plimsoll/core/image";
import { findImages, type ImageStore, maxDocumentBytes } from "@plimsoll/core/internal";
import { type EngineAddress, formatEngineAddress } from "../engine/engine-address.ts";
import type { EngineOptions } from "../engine/from-engine.ts";
import { hostEngines } from "../engine/host-engines.ts";
import { readDocument } from "../registry/read-document.ts";
import type { ContainerdClient } from "./containerd-client.ts";
import { type FoundImage, findListedImage } from "./find-listed-image.ts";

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
