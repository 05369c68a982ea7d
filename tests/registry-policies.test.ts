/** What a registry refuses over the network, in a process of its own: images by a pull gate until an exception, and pushes by a quota. */
import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { pushImage } from "./support/push-image.ts";
import { firstUser, type RegistryProcess, startRegistry } from "./support/registry-process.ts";
import { debianImage } from "./support/sample-image.ts";
import { loadTracker } from "./support/scanner-service.ts";
import { tempFolder } from "./support/temp-folder.ts";

const authorization = `Basic ${btoa(`${firstUser.username}:${firstUser.password}`)}`;
const image = await debianImage(["openssl 3.0.11-1~deb12u1"]);

/** Asks as clients do. @returns the status, with the code of a refusal */
async function pull({ host }: RegistryProcess, path: string): Promise<string> {
  const answer = await fetch(`http://${host}/v2/acme/app/${path}`, { headers: { authorization } });
  const body = await answer.text();
  return answer.ok ? `${answer.status}` : `${answer.status} ${JSON.parse(body).errors[0].code}`;
}

function push({ host }: RegistryProcess): Promise<unknown> {
  return pushImage(`http://${host}/v2/acme/app`, authorization, { image, reference: "v1" });
}

describe.each(testEngines.filter(({ shared }) => shared).map((engine) => ({ engine, title: engineTitle(engine) })))(
  "a registry on $title",
  ({ engine }) => {
    const test = (title: string, run: (registry: RegistryProcess) => Promise<void>) =>
      it.skipIf(engine.skip !== undefined)(
        title,
        async () => {
          using folder = tempFolder();
          await using database = await engine.create();
          await loadTracker(database.location, { openssl: { "CVE-2024-0001": { urgency: "high" } } });
          const settings = { database: database.location, superusers: firstUser.username, updaters: "debian" };
          await using registry = await startRegistry(folder.path, settings);
          await registry.call("POST", "/organization/", { name: "acme", email: "acme@example.com" });
          await run(registry);
        },
        120_000,
      );

    test("denies an image and its layers by the gate of its organization, and lets it pass by an exception", async (registry) => {
      await push(registry);
      const security = `/repository/acme/app/manifest/${image.digest}/security`;
      const status = async () => ((await registry.call("GET", security)) as { readonly status: string }).status;
      await expect.poll(status).toBe("scanned");
      const [layer] = image.layers;
      const seen = async () => [
        await pull(registry, "manifests/v1"),
        await pull(registry, `manifests/${image.digest}`),
        await pull(registry, `blobs/${layer?.digest}`),
      ];
      const gate = "/organization/acme/pullgate";

      expect(await seen()).toEqual(["200", "200", "200"]);
      await registry.call("PUT", gate, { severity: "High" });
      expect(await seen()).toEqual(["403 DENIED", "403 DENIED", "403 DENIED"]);
      const expires = new Date(Date.now() + 86_400_000).toISOString().replace(/\.\d+Z$/, "Z");
      const exception = { vulnerability: "CVE-2024-0001", reason: "not reachable", expires };
      await registry.call("POST", `${gate}/exceptions`, exception);
      expect(await seen()).toEqual(["200", "200", "200"]);
    });

    test("refuses pushes that a quota does not allow, and takes them when there is room", async (registry) => {
      const quota = "/organization/acme/quota";
      await registry.call("POST", quota, { limit_bytes: 100 });
      const [{ id } = { id: "" }] = (await registry.call("GET", quota)) as readonly { readonly id: string }[];
      await registry.call("POST", `${quota}/${id}/limit`, { type: "Reject", threshold_percent: 100 });

      await expect(push(registry)).rejects.toThrow(/quota/i);
      await registry.call("PUT", `${quota}/${id}`, { limit_bytes: 10_000_000 });
      await push(registry);

      expect(await pull(registry, "manifests/v1")).toBe("200");
    });
  },
);
