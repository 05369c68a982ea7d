import { createHash, type Hash, randomUUID } from "node:crypto";
import { createWriteStream, mkdirSync, renameSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { join } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";

/**
 * The minimum that a registry on `node:http` has to do with a blob: hash its bytes and write them to a file while they arrive, and
 * compare the digest. It requires no credentials, stores no metadata and reads no layer.
 */
export function createBlobSink(folder: string): Server {
  mkdirSync(folder, { recursive: true });
  const uploads = new Map<string, Hash>();
  return createServer((request, response) => {
    receive(request, response).catch((error: Error) => response.writeHead(500).end(error.message));
  });

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    if (request.method === "POST") {
      const id = randomUUID();
      uploads.set(id, createHash("sha256"));
      response.writeHead(202, { location: `http://${request.headers.host}/${id}` }).end();
      return;
    }
    const hash = uploads.get(pathname.slice(1));
    if (hash === undefined) throw new Error("unknown upload");
    const path = join(folder, pathname);
    await pipeline(request, hashing(hash), createWriteStream(path, { flags: "a" }));
    if (request.method === "PATCH") {
      response.writeHead(202, { location: `http://${request.headers.host}${pathname}` }).end();
      return;
    }
    const digest = hash.digest("hex");
    if (searchParams.get("digest") !== `sha256:${digest}`) throw new Error("the digest does not match");
    renameSync(path, join(folder, digest));
    response.writeHead(201).end();
  }
}

/** A stream that hashes the bytes that pass through it. */
function hashing(hash: Hash): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
}
