/** Mail of a registry that scans, to a real SMTP server: what is found in a pushed image, and the recovery of a password. */
import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { startSmtpSink } from "../packages/registry-api/src/fixtures/smtp-sink.ts";
import { pushImage } from "./support/push-image.ts";
import { debianImage } from "./support/sample-image.ts";
import { loadTracker } from "./support/scanner-service.ts";
import { basic, signUp, startScanningRegistry } from "./support/scanning-registry.ts";
import { tempFolder } from "./support/temp-folder.ts";

const engines = testEngines.filter(({ shared }) => shared).map((engine) => ({ engine, title: engineTitle(engine) }));

/** The text of a mail, without the soft line breaks and escapes of quoted-printable. */
function plain(body: string): string {
  return body
    .replaceAll(/=\r?\n/g, "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
}

describe.each(engines)("mail of a registry, on $title", ({ engine }) => {
  it.skipIf(engine.skip !== undefined)(
    "tells once what a push brought and what its scan found, and lets a password be recovered",
    async () => {
      await using database = await engine.create();
      await using smtp = await startSmtpSink();
      using folder = tempFolder();
      const mail = { url: `smtp://127.0.0.1:${smtp.port}`, from: "registry@example.com", requireTls: false };
      await using server = await startScanningRegistry(database.location, folder.path, { mail });
      const call = await signUp(server.address);
      await loadTracker(database.location, { zlib: { "CVE-2023-0001": { urgency: "high" } } });
      const harmless = await debianImage(["curl 1"]);
      const push = (reference: string) =>
        pushImage(`${server.address}/v2/alice/app`, basic, { image: harmless, reference });
      const bodies = (to: string) =>
        smtp.received.filter((each) => each.to.includes(to)).map(({ body }) => plain(body));

      await push("v0"); // makes the repository
      await call("POST", "/repository/alice/app/authorizedemail/alice@example.com");
      await expect.poll(() => bodies("alice@example.com").length).toBe(1);
      const [link = ""] = /http\S+\/confirm\?\S+/.exec(bodies("alice@example.com")[0] ?? "") ?? [];
      const code = new URL(link).searchParams.get("code") ?? "";
      await fetch(new URL("/confirm", link), { method: "POST", body: new URLSearchParams({ code }) });
      const path = "/repository/alice/app/notification/";
      const config = { email: "alice@example.com" };
      for (const event of ["repo_push", "vulnerability_found"]) {
        const made = await call("POST", path, {
          event,
          method: "email",
          title: `<b>${event}</b>`,
          config,
          eventConfig: {},
        });
        expect(made.status).toBe(201);
      }
      const other = await debianImage(["zlib 1", "openssl 1"]);
      await pushImage(`${server.address}/v2/alice/app`, basic, { image: other, reference: "v1" });

      await expect.poll(() => bodies("alice@example.com").length).toBe(3);
      const told = bodies("alice@example.com").slice(1).join("\n");
      expect(told).toContain("CVE-2023-0001");
      expect(told).toContain("v1");
      expect(told).not.toContain("<b>repo_push</b>");
      await call("POST", "/recovery", { email: "alice@example.com" });
      await expect.poll(() => bodies("alice@example.com").length).toBe(4);
      expect(bodies("alice@example.com").join("\n")).toContain(`${server.address}/recovery?code=`);
      expect(smtp.received.map(({ from }) => from)).toEqual(Array(4).fill("registry@example.com"));
    },
  );
});
