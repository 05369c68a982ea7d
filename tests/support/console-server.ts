import { defaultRegistrySettings } from "@plimsoll/registry-api/settings";
import { startServing } from "@plimsoll/server/serve";
import type { BuiltImage } from "@plimsoll/testing";
import { pino } from "pino";
import { pushImage } from "./push-image.ts";
import { loadTracker, testSettings } from "./scanner-service.ts";
import { tempFolder } from "./temp-folder.ts";

/** A user of the console. */
export const visitor = { username: "alice", password: "sesame-open" } as const;

/** The advisories that its scanner has. */
const advisories = {
  openssl: { "CVE-2024-1": { fixed: "3.0.15-1", urgency: "high" }, "CVE-2024-2": { urgency: "low" } },
  zlib: { "CVE-2023-9": { urgency: "unimportant" } },
};

/** A registry with its scanner and its console, on a database of its own. */
export async function openConsoleServer() {
  await using resources = new AsyncDisposableStack();
  const folder = resources.use(tempFolder()).path;
  const database = `sqlite:${folder}/plimsoll.db`;
  await loadTracker(database, advisories);
  const { host: _, ...settings } = {
    ...defaultRegistrySettings,
    superusers: [visitor.username],
    allowedInternalHosts: ["127.0.0.0/8"],
  };
  const storage = { kind: "files", folder: `${folder}/blobs` } as const;
  const registry = { settings, secretFile: `${folder}/secret`, storage };
  const parts = { logger: pino({ level: "silent" }), clock: { now: () => Date.now() } };
  const { address } = resources.use(await startServing({ ...testSettings, database, registry, updaters: [] }, parts));
  const owned = resources.move();
  const { username, password } = visitor;
  const basic = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
  return {
    address,
    /** Pushes an image into a repository of the visitor's. */
    push: (image: BuiltImage, repository: string, tag: string) =>
      pushImage(`${address}/v2/${username}/${repository}`, basic, image, tag),
    /** Makes the visitor's account, as the first page does. */
    async makeVisitor() {
      const body = JSON.stringify({ ...visitor, email: "alice@example.com", access_token: true });
      const headers = { "content-type": "application/json" };
      const answer = await fetch(`${address}/api/v1/user/initialize`, { method: "POST", headers, body });
      const { access_token: token } = (await answer.json()) as { readonly access_token: string };
      return token;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
