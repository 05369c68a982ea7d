import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { type Bytes, ScanError } from "@plimsoll/core";
import { parseDigest } from "@plimsoll/core/digest";
import type { Descriptor } from "@plimsoll/core/internal";
import { openGrpcSocket } from "@plimsoll/outbound";
import { toUnreachable } from "../engine/engine-address.ts";
import { Content } from "./protocol/content_pb.ts";
import { type Image, Images } from "./protocol/images_pb.ts";
import { Namespaces } from "./protocol/namespaces_pb.ts";

/** An image in containerd's list. */
export interface ListedImage {
  readonly name: string;
  /** Descriptor of the image manifest or image index. */
  readonly target: Descriptor;
}

/** A client of one containerd. Disposing closes its connection. Requests throw ScanError `source_unreachable`, `not_permitted`, `aborted`. */
export interface ContainerdClient extends AsyncDisposable {
  listNamespaces(signal?: AbortSignal): Promise<readonly string[]>;
  findImage(name: string, namespace: string, signal?: AbortSignal): Promise<ListedImage | undefined>;
  /** The images that match any of the filters. @see https://github.com/containerd/containerd/blob/main/pkg/filters/filter.go */
  listImages(filters: readonly string[], namespace: string, signal?: AbortSignal): Promise<readonly ListedImage[]>;
  /** Streams the content of a digest. @throws ScanError `not_found` if it is not in the store */
  readContent(digest: string, namespace: string, signal?: AbortSignal): Bytes;
}

const connection = { idleMs: 30_000, maxMessageBytes: 16 * 1024 * 1024 };

/**
 * Opens a client of containerd's API. It connects on the first request.
 * @param where names containerd and its address in messages
 * @see https://github.com/containerd/containerd/tree/main/api/services
 */
export async function openContainerdClient(socketPath: string, where: string): Promise<ContainerdClient> {
  const socket = await openGrpcSocket({ socketPath, ...connection });
  const images = createClient(Images, socket.transport);
  const content = createClient(Content, socket.transport);
  const namespaces = createClient(Namespaces, socket.transport);
  const fail = (error: unknown, signal: AbortSignal | undefined): never => {
    throw toUnreachable(error, where, signal);
  };
  return {
    listNamespaces: async (signal) => {
      const listed = await namespaces.list({}, callOf(undefined, signal)).catch((error) => fail(error, signal));
      return listed.namespaces.map(({ name }) => name);
    },
    findImage: async (name, namespace, signal) => {
      const found = await images.get({ name }, callOf(namespace, signal)).catch((error: unknown) => {
        return isNotFound(error) ? undefined : fail(error, signal);
      });
      return found?.image && toListed(found.image, where);
    },
    listImages: async (filters, namespace, signal) => {
      const call = callOf(namespace, signal);
      const listed = await images.list({ filters: [...filters] }, call).catch((error) => fail(error, signal));
      return listed.images.map((image) => toListed(image, where));
    },
    readContent: async function* (digest, namespace, signal) {
      try {
        for await (const { data } of content.read({ digest }, callOf(namespace, signal))) yield data;
      } catch (error) {
        if (isNotFound(error)) throw new ScanError("not_found", `${where} does not have ${digest}`, { cause: error });
        fail(error, signal);
      }
    },
    [Symbol.asyncDispose]: () => socket[Symbol.asyncDispose](),
  };
}

function callOf(namespace: string | undefined, signal: AbortSignal | undefined) {
  return {
    headers: namespace === undefined ? undefined : { "containerd-namespace": namespace },
    signal,
  };
}

function isNotFound(error: unknown): boolean {
  return error instanceof ConnectError && error.code === Code.NotFound;
}

function toListed({ name, target }: Image, where: string): ListedImage {
  if (target === undefined) throw new ScanError("malformed_image", `${where}: ${name} has no manifest`);
  const { mediaType, digest, size, annotations } = target;
  return { name, target: { mediaType, digest: parseDigest(digest), sizeBytes: Number(size), annotations } };
}
