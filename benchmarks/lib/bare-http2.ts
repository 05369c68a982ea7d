/**
 * A bare `node:http2` server, with as many streams for a connection as ours has. It sends its port to the process that started it.
 *
 *     fork("bare-http2.ts", [CERTIFICATE, KEY])
 */
import { readFileSync } from "node:fs";
import { createSecureServer } from "node:http2";
import type { AddressInfo } from "node:net";

const [cert, key] = process.argv.slice(2).map((path) => readFileSync(path));
const settings = { maxConcurrentStreams: 100 };
const server = createSecureServer({ allowHTTP1: true, cert, key, settings }, (_, response) => {
  response.setHeader("content-type", "application/json");
  response.end('{"repositories":[]}');
});
server.on("sessionError", () => {}); // of the attackers' connections
server.on("tlsClientError", () => {});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
