import { describe, expect, it } from "vitest";
import { openTestRegistry } from "../../fixtures/test-registry.ts";

const about = { group: "Listening", meaning: "The port.", default: "8080" } as const;

describe("settingOperations", () => {
  it("show superusers the settings of the process, and of secrets that they were given", async () => {
    const settings = [
      { ...about, name: "port", value: "1", isSecret: false, source: "file", file: "a.yaml" },
      { ...about, name: "secretKey", isSecret: true, source: "environment" },
    ] as const;
    await using registry = await openTestRegistry({ ports: { settingsInForce: settings } });
    const [root, alice] = [
      await registry.session(await registry.user("root")),
      await registry.session(await registry.user("alice")),
    ];

    const { body } = await root("GET", "/superuser/settings");

    expect(body.settings).toEqual([
      { ...about, name: "port", value: "1", secret: false, source: "file", file: "a.yaml" },
      { ...about, name: "secretKey", value: null, secret: true, source: "environment", file: null },
    ]);
    expect((await alice("GET", "/superuser/settings")).status).toBe(403);
  });

  it("show nothing if a program of the operator's own starts the registry", async () => {
    await using registry = await openTestRegistry();
    const root = await registry.session(await registry.user("root"));

    expect((await root("GET", "/superuser/settings")).body).toEqual({ settings: null });
  });
});
