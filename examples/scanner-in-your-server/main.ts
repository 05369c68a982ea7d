/** A Fastify server that includes the scanner API. node main.ts [PORT] [DATABASE] */
import { once } from "node:events";
import { homedir } from "node:os";
import { join } from "node:path";
import { registerApi } from "@plimsoll/http";
import { defaultServiceSettings, openScannerApi } from "@plimsoll/server/serve";
import fastify from "fastify";
import { pino } from "pino";

const usual = join(homedir(), ".cache", "scanner-in-your-server.db");
const [, , port = "8080", database = usual] = process.argv;
const settings = { ...defaultServiceSettings, database, layerNetworks: ["127.0.0.1"] };
await using scanner = await openScannerApi(settings, { logger: pino({ level: "warn" }), clock: Date });

const app = fastify();
app.get("/", async () => "This server also has routes of its own.\n");
await app.register(async (scope) => registerApi(scope, scanner.api));
console.log(await app.listen({ port: Number(port) }));
await once(process, "SIGTERM");
await app.close();
