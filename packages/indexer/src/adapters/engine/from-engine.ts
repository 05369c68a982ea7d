import { type Bytes, ScanError } from "@plimsoll/core";
import type { ImageSource } from "@plimsoll/core/image";
import { openArchiveStream } from "@plimsoll/core/internal";
import type { EngineHosts, EngineName } from "./engine-address.ts";
import { openEngineClient } from "./engine-client.ts";
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
