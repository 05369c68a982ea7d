import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { loopbackCertificate } from "./loopback-certificate.ts";

/** A container engine that serves image archives by name. */
export interface EngineServer extends AsyncDisposable {
  /** `unix://PATH` or `tcp://HOST:PORT`, as `DOCKER_HOST` has it. */
  readonly host: string;
  /** The requested paths. */
  readonly requests: readonly string[];
  put(name: string, image: EngineImage): void;
}

/** An image of an engine. */
export interface EngineImage {
  readonly id: string;
  readonly archive: Uint8Array;
  /** Closes the connection after so many bytes of the archive. */
  readonly cutAfterBytes?: number;
}

/** Starts an engine on a Unix socket, or with `tls` on the loopback interface, where it requires a client certificate. */
export async function startEngineServer(
  at: { readonly socketPath: string } | { readonly tls: true },
): Promise<EngineServer> {
  const images = new Map<string, EngineImage>();
  const requests: string[] = [];
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const path = decodeURIComponent(request.url ?? "");
    requests.push(path);
    const [, name = "", action = ""] = /^\/images\/(.+)\/(json|get)$/.exec(path) ?? [];
    const image = images.get(name) ?? (action === "json" ? images.get(`${name}:latest`) : undefined);
    if (image === undefined) sendJson(response, 404, { message: `No such image: ${name}` });
    else if (action === "json") sendJson(response, 200, { Id: image.id, RepoTags: [name] });
    else sendArchive(response, image);
  };
  const isSocket = "socketPath" in at;
  const { key, cert } = loopbackCertificate();
  const server = isSocket
    ? createServer(answer)
    : createTlsServer({ key, cert, ca: cert, requestCert: true, rejectUnauthorized: true }, answer);
  await new Promise<void>((resolve) =>
    isSocket ? server.listen(at.socketPath, resolve) : server.listen(0, "127.0.0.1", resolve),
  );
  return {
    host: isSocket ? `unix://${at.socketPath}` : `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    put: (name, image) => void images.set(name, image),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function sendJson(response: ServerResponse, status: number, json: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(json));
}

function sendArchive(response: ServerResponse, { archive, cutAfterBytes }: EngineImage): void {
  response.writeHead(200, { "content-type": "application/x-tar" });
  if (cutAfterBytes === undefined) response.end(archive);
  else response.write(archive.subarray(0, cutAfterBytes), () => response.destroy());
}
