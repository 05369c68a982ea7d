import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openBrowser } from "../../fixtures/test-browser.ts";
import { codeIn, queuedMail } from "../../fixtures/test-mail.ts";
import { openTestRegistry, type TestRegistryOptions } from "../../fixtures/test-registry.ts";
import { putRepository } from "../../fixtures/test-repositories.ts";

const mailer = { send: async () => {} };
const path = "/repository/ada/app/authorizedemail/ops@example.com";
const toEmail = { event: "repo_push", method: "email", config: { email: "ops@example.com" }, eventConfig: {} };

async function openApp(options: TestRegistryOptions = { ports: { mailer } }) {
  const registry = await openTestRegistry(options);
  const ada = await registry.user("ada");
  await putRepository(registry, { namespace: ada, name: "app", visibility: "public" });
  await putRepository(registry, { namespace: ada, name: "other" });
  return { registry, ada, call: await registry.session(ada), browser: openBrowser(registry) };
}

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "repositoryEmailOperations on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)(
      "ask an address, which may be sent notifications once it has confirmed",
      async () => {
        const { registry, call, browser } = await openApp({ engine, ports: { mailer } });
        await using _ = registry;
        const record = { email: "ops@example.com", repository: "app", namespace: "ada" };

        const before = await call("GET", path);
        const asked = await call("POST", path);
        const [mail, ...others] = (await call("POST", path)) && (await queuedMail(registry));
        const early = await call("POST", "/repository/ada/app/notification/", toEmail);
        const confirmed = await browser.submit("/confirm", { code: codeIn(mail) });
        const after = await call("GET", path);
        const again = await call("POST", path);
        const late = await call("POST", "/repository/ada/app/notification/", toEmail);
        const elsewhere = await call("POST", "/repository/ada/other/notification/", toEmail);

        expect(before.status).toBe(404);
        expect(asked).toMatchObject({ status: 200, body: { ...record, confirmed: false } });
        expect(mail).toMatchObject({ to: "ops@example.com", subject: "Plimsoll: Notifications of ada/app" });
        expect(others).toEqual([]);
        expect([early.status, confirmed.status, late.status, elsewhere.status]).toEqual([400, 200, 201, 400]);
        expect(after.body).toEqual({ ...record, confirmed: true });
        expect(again.body).toEqual({ ...record, confirmed: true });
        expect(await queuedMail(registry)).toHaveLength(1);
      },
    );
  },
);

describe("repositoryEmailOperations", () => {
  it("take a code once, and only in time", async () => {
    const { registry, ada, call: early, browser } = await openApp();
    await using _ = registry;
    await early("POST", path);
    const [first] = await queuedMail(registry);
    registry.time.now += 7 * 86_400_000;
    const call = await registry.session(ada);

    const late = await browser.submit("/confirm", { code: codeIn(first) });
    const forgotten = await call("GET", path);
    await call("POST", path);
    const second = (await queuedMail(registry)).at(-1);
    const inTime = await browser.submit("/confirm", { code: codeIn(second) });
    const twice = await browser.submit("/confirm", { code: codeIn(second) });

    expect([late.status, forgotten.status, inTime.status, twice.status]).toEqual([400, 404, 200, 400]);
  });

  it.each([
    { what: "what is no address", options: { ports: { mailer } }, address: "ops", detail: /Invalid email/ },
    { what: "to ask without e-mail", options: {}, address: "ops@example.com", detail: /sends no e-mail/ },
  ])("refuse $what", async ({ options, address, detail }) => {
    const { registry, call } = await openApp(options);
    await using _ = registry;

    const { status, body } = await call("POST", `/repository/ada/app/authorizedemail/${address}`);

    expect(status).toBe(400);
    expect(body.detail).toMatch(detail);
  });

  it("are for admins of the repository", async () => {
    const { registry } = await openApp();
    await using _ = registry;
    const bob = await registry.session(await registry.user("bob"));

    for (const method of ["GET", "POST"]) {
      expect((await bob(method, path)).status).toBe(403);
      expect((await registry.anonymous(method, path)).status).toBe(401);
    }
  });
});
