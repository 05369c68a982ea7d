import { type Bytes, ScanError } from "@plimsoll/core";
import type { ImageSource } from "@plimsoll/core/image";
import { openArchiveStream } from "@plimsoll/core/internal";
import type { Json } from "@plimsoll/core/report";
import { discardBody, type OutboundResponse, openOutbound } from "@plimsoll/outbound";
import { readDocument } from "../registry/read-document.ts";
import {
  type EngineAddress,
  type EngineHosts,
  type EngineName,
  formatEngineAddress,
  toUnreachable,
} from "./engine-address.ts";
import { hostEngines } from "./host-engines.ts";

/** Options of requests to container engines. */
export interface EngineOptions {
  /** Finds their addresses. Default: their usual sockets. */
  readonly engines?: EngineHosts;
  /** Never use the network: engines on other machines are refused. */
  readonly offline?: boolean;
}

/**
 * The source of an image in the store of a docker engine, by its name or id. The image is read as `docker save` writes it.
 * @throws ScanError `unsupported_source` for a text that cannot name an image
 * @see https://docs.docker.com/reference/api/engine/version/v1.47/#tag/Image/operation/ImageGet
 * @example
 * const source = fromDocker("nginx:1.27", { engines: hostEngines(hostEnvironment()) });
 */
export function fromDocker(image: string, options: EngineOptions = {}): ImageSource {
  return fromEngine("docker", image, options);
}

/**
 * The source of an image in the store of podman, by its name or id. It needs podman's service: `podman system service`, or its socket.
 * @throws ScanError `unsupported_source` for a text that cannot name an image
 * @see https://docs.podman.io/en/latest/_static/api.html#tag/images-(compat)/operation/ImageGet
 * @example
 * const source = fromPodman("localhost/app", { engines: hostEngines(hostEnvironment()) });
 */
export function fromPodman(image: string, options: EngineOptions = {}): ImageSource {
  return fromEngine("podman", image, options);
}

/** The sockets of docker and podman in a default installation. */
const defaultEngines: EngineHosts = hostEngines({ variables: {}, homeFolder: "/" });

function fromEngine(
  engine: EngineName,
  image: string,
  { engines = defaultEngines, offline }: EngineOptions,
): ImageSource {
  const name = `${engine}:${image}`;
  if (!/^[\w.\-/:@]{1,512}$/.test(image))
    throw new ScanError("unsupported_source", `${name}: expected the name or the id of an image`);
  return {
    name,
    open: async (opening) => {
      const { signal } = opening;
      const address = await engines.find(engine);
      const connect = () => openEngineClient(engine, address, offline ? { offline } : {});
      await using client = connect();
      const { id } = await client.findImage(image, signal);
      const save = async function* (): Bytes {
        await using own = connect();
        yield* await own.openArchive(nameToSave(image, id), signal);
      };
      return await openArchiveStream(save, { archive: name }, opening);
    },
  };
}

/** The name to save. The engine saves all images of a repository without a tag; elsewhere such a name means `latest`. */
function nameToSave(image: string, id: string): string {
  const isNamedWhole = image.includes("@") || image.lastIndexOf(":") > image.lastIndexOf("/");
  const isId = /^[0-9a-f]+$/.test(image) && id.replace(/^sha256:/, "").startsWith(image);
  return isNamedWhole || isId ? image : `${image}:latest`;
}

/** A client of one container engine. Disposing closes its connections. */
interface EngineClient extends AsyncDisposable {
  /** @throws ScanError `not_found`, `source_unreachable`, `not_permitted` */
  findImage(image: string, signal?: AbortSignal): Promise<{ readonly id: string }>;
  /** Streams the archive of an image. @throws ScanError as `findImage`, also while it is read */
  openArchive(image: string, signal?: AbortSignal): Promise<Bytes>;
}

/** An engine assembles the whole archive before it sends the first byte, which may take minutes. */
const timeouts = { connectMs: 10_000, idleMs: 300_000 };

const maxDocumentBytes = 4 * 1024 * 1024;

/**
 * Opens a client of the Docker Engine API, which podman implements too. It connects on the first request.
 * @throws ScanError `source_unreachable` for an engine on another machine if `offline` is set
 * @see https://docs.docker.com/reference/api/engine/
 */
export function openEngineClient(
  engine: EngineName,
  address: EngineAddress,
  { offline = false }: { readonly offline?: boolean } = {},
): EngineClient {
  const where = `${engine} at ${formatEngineAddress(address)}`;
  if (offline && address.kind === "host" && !/^(?:localhost|127\..*|\[::1\])$/.test(address.url.hostname))
    throw new ScanError(
      "source_unreachable",
      `${where} is on another machine, and the network is switched off (--offline)`,
    );
  const way = address.kind === "socket" ? { socketPath: address.path } : { tls: () => address.tls };
  const outbound = openOutbound({ policy: "trusted", ...way, ...timeouts });
  const base = address.kind === "socket" ? "http://localhost" : address.url.origin;
  const ask = async (path: string, image: string, signal?: AbortSignal): Promise<OutboundResponse> => {
    const url = new URL(`${base}/images/${image.split("/").map(encodeURIComponent).join("/")}/${path}`);
    const response = await outbound.send({ url, signal }).catch((error: unknown) => {
      throw toUnreachable(error, where, signal);
    });
    if (response.status === 200) return response;
    throw await refusal(response, where, image);
  };
  return {
    async findImage(image, signal) {
      const { body } = await ask("json", image, signal);
      return { id: idOf(await readDocument(body, maxDocumentBytes, `${where}: ${image}`), where) };
    },
    async openArchive(image, signal) {
      const { body } = await ask("get", image, signal);
      return archiveOf(body, where, signal);
    },
    [Symbol.asyncDispose]: () => outbound[Symbol.asyncDispose](),
  };
}

async function* archiveOf(body: Bytes, where: string, signal: AbortSignal | undefined): Bytes {
  const chunks = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await chunks.next().catch((error: unknown) => {
        throw toUnreachable(error, where, signal);
      });
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await chunks.return?.();
  }
}

function idOf(bytes: Uint8Array, where: string): string {
  const json = parsedOr(bytes);
  const id = typeof json === "object" && json !== null && "Id" in json ? json.Id : undefined;
  if (typeof id === "string") return id;
  throw new ScanError("source_unreachable", `${where} does not answer as a container engine does`);
}

async function refusal(response: OutboundResponse, where: string, image: string): Promise<ScanError> {
  const said = await readDocument(response.body, maxDocumentBytes, where).then(messageOf, () => "");
  await discardBody(response).catch(() => {});
  const because = said === "" ? "" : `: ${said}`;
  if (response.status === 404)
    return new ScanError(
      "not_found",
      `${where} has no image ${image}${because}; use registry:${image} for an image in a registry`,
    );
  return new ScanError("source_unreachable", `${where} does not give ${image} (${response.status}${because})`);
}

function messageOf(bytes: Uint8Array): string {
  const json = parsedOr(bytes);
  const message = typeof json === "object" && json !== null && "message" in json ? json.message : undefined;
  return typeof message === "string" ? message.slice(0, 300) : "";
}

function parsedOr(bytes: Uint8Array): Json | undefined {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as Json;
  } catch {
    return undefined;
  }
}
