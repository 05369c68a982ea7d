import { type AccountRow, findAccount } from "@plimsoll/registry/access/queries";
import { expect } from "vitest";
import { digestOf, ociIndexType, ociManifestType } from "../fixtures/test-distribution.ts";
import { putRobot } from "../fixtures/test-tokens.ts";
import { name, notAffected, pemOf, theirs } from "./fixtures/attestations.ts";
import { type Road, statement, withGates } from "./fixtures/held-gates.ts";

const both = ["organization"]; // the gate of the organization refuses first
const attTag = (digest: string) => `${digest.replace(":", "-")}.att`;

const roads: readonly Road[] = [
  ["nobody attaches anything", both, async () => {}],
  ["a writer attaches a referrer", both, (held) => held.attach("bob", statement(held))],
  ["an admin of the organization attaches a referrer", [], (held) => held.attach("carol", statement(held))],
  ["an admin of the repository attaches a referrer", both, (held) => held.attach("rita", statement(held))],
  [
    "an admin of the repository attaches a referrer, and the organization has no gate",
    [],
    async (held) => {
      await held.attach("rita", statement(held));
      await held.calls.alice("DELETE", "/organization/acme/pullgate");
    },
  ],
  [
    "a writer attaches a referrer, and the organization has no gate",
    ["repository"],
    async (held) => {
      await held.attach("bob", statement(held));
      await held.calls.alice("DELETE", "/organization/acme/pullgate");
    },
  ],
  ["a mirror or a cache brings a referrer", both, (held) => held.copyIn(statement(held))],
  [
    "an admin attaches what a writer attached before",
    [],
    async (held) => {
      await held.attach("bob", statement(held));
      await held.attach("carol", statement(held));
    },
  ],
  [
    "a writer pushes again what an admin attached",
    [],
    async (held) => {
      await held.attach("carol", statement(held));
      await held.attach("bob", statement(held));
    },
  ],
  [
    "a writer deletes what an admin attached, and pushes it again",
    both,
    async (held) => {
      const digest = await held.attach("carol", statement(held));
      await held.world.send("DELETE", `${name}/manifests/${digest}`, { as: "bob" });
      await held.attach("bob", statement(held));
    },
  ],
  [
    "a writer restores by a tag what an admin attached and deleted",
    both,
    async (held) => {
      const digest = await held.attach("carol", statement(held));
      await held.world.send("DELETE", `${name}/manifests/${digest}`, { as: "carol" });
      const path = `/repository/${name}/tag/again/restore`;
      expect((await held.calls.bob("POST", path, { manifest_digest: digest })).status).toBe(201);
    },
  ],
  [
    "the admin who attached it is no longer one",
    both,
    async (held) => {
      await held.attach("carol", statement(held));
      expect(await held.refusedBy()).toEqual([]);
      expect((await held.calls.alice("DELETE", "/organization/acme/team/owners/members/carol")).status).toBe(204);
    },
  ],
  [
    "the admin who attached it is disabled",
    both,
    async (held) => {
      await held.attach("carol", statement(held));
      await held.world.store.db.updateTable("account").set({ enabled: 0 }).where("username", "=", "carol").execute();
    },
  ],
  [
    "a writer puts cosign's tag on it",
    both,
    (held) => held.attach("bob", { document: notAffected(held.image.digest) }, attTag(held.image.digest)),
  ],
  [
    "an admin puts cosign's tag on it",
    [],
    (held) => held.attach("carol", { document: notAffected(held.image.digest) }, attTag(held.image.digest)),
  ],
  [
    "a writer puts cosign's tag on what an admin pushed under another name",
    both,
    async (held) => {
      const digest = await held.attach("carol", { document: notAffected(held.image.digest) }, "draft");
      const path = `/repository/${name}/tag/${attTag(held.image.digest)}`;
      expect((await held.calls.bob("PUT", path, { manifest_digest: digest })).status).toBe(201);
    },
  ],
  [
    "an admin puts cosign's tag on what a writer pushed",
    [],
    async (held) => {
      const digest = await held.attach("bob", { document: notAffected(held.image.digest) }, "draft");
      const path = `/repository/${name}/tag/${attTag(held.image.digest)}`;
      expect((await held.calls.carol("PUT", path, { manifest_digest: digest })).status).toBe(201);
    },
  ],
  [
    "a writer restores cosign's tag that an admin has moved on",
    both,
    async (held) => {
      const tag = attTag(held.image.digest);
      const digest = await held.attach("carol", { document: notAffected(held.image.digest) }, tag);
      await held.attach("carol", { document: "{}", mediaType: "application/json" }, tag);
      const path = `/repository/${name}/tag/${tag}/restore`;
      expect((await held.calls.bob("POST", path, { manifest_digest: digest })).status).toBe(201);
    },
  ],
  [
    "a writer lengthens the time for which an admin attached it",
    both,
    async (held) => {
      const path = `/repository/${name}/tag/${attTag(held.image.digest)}`;
      await held.attach("carol", { document: notAffected(held.image.digest) }, attTag(held.image.digest));
      const expiration = Math.floor(held.world.registry.time.now / 1000) + 3600;
      expect((await held.calls.carol("PUT", path, { expiration })).status).toBe(201);
      expect(await held.refusedBy()).toEqual([]);
      expect((await held.calls.bob("PUT", path, { expiration: null })).status).toBe(201);
    },
  ],
  [
    "a writer attaches it to an index of theirs that lists the image",
    both,
    async (held) => {
      const manifests = [{ mediaType: ociManifestType, digest: held.image.digest, size: 1 }];
      const index = JSON.stringify({ schemaVersion: 2, mediaType: ociIndexType, manifests });
      await held.put("bob", "all", { body: index, type: ociIndexType });
      await held.attach("bob", { document: notAffected(digestOf(index)), subject: digestOf(index) });
    },
  ],
  [
    "an admin attaches it to an index that lists the image",
    [],
    async (held) => {
      const manifests = [{ mediaType: ociManifestType, digest: held.image.digest, size: 1 }];
      const index = JSON.stringify({ schemaVersion: 2, mediaType: ociIndexType, manifests });
      await held.put("bob", "all", { body: index, type: ociIndexType });
      await held.attach("carol", { document: notAffected(digestOf(index)), subject: digestOf(index) });
    },
  ],
  [
    "a writer attaches an SBOM with statements",
    both,
    (held) => {
      const analysis = { state: "not_affected" };
      const document = JSON.stringify({
        ...{ bomFormat: "CycloneDX", specVersion: "1.6" },
        components: [
          { type: "library", name: "semver", version: "7.5.1", purl: "pkg:npm/semver@7.5.1", "bom-ref": "a" },
        ],
        vulnerabilities: [{ id: "CVE-2022-25883", analysis, affects: [{ ref: "pkg:npm/semver@7.5.1" }] }],
      });
      return held.attach("bob", { document, mediaType: "application/vnd.cyclonedx+json", subject: held.image.digest });
    },
  ],
  [
    "a robot with write access attaches it",
    both,
    async (held) => {
      const owner = (await findAccount(held.world.store.db, "acme")) as AccountRow;
      await putRobot(held.world.registry, owner, { shortName: "ci", token: "ROBOTTOKEN" });
      const path = `/repository/${name}/permissions/user/acme+ci`;
      expect((await held.calls.alice("PUT", path, { role: "write" })).status).toBe(200);
      await held.attach("acme+ci", statement(held));
    },
  ],
  [
    "a writer makes a rule, an exception and a key",
    both,
    async ({ calls }) => {
      const expires = "2026-12-01T00:00:00Z";
      const rule = { vulnerability: "CVE-2022-25883", reason: "mine", expires };
      for (const owner of ["organization/acme", `repository/${name}`]) {
        for (const [path, body] of [
          ["ignorerules", rule],
          ["pullgate/exceptions", rule],
          ["pullgate/keys", { name: "mine", public_key: pemOf(theirs) }],
        ] as const)
          expect((await calls.bob("POST", `/${owner}/${path}`, body)).status).toBe(403);
      }
    },
  ],
  [
    "a writer tags the image, labels it and deletes its scan's documents",
    both,
    async (held) => {
      await held.put("bob", "v2", { body: held.image.content });
      const label = { key: "quay.vulnerabilities", value: "none", media_type: "text/plain" };
      await held.calls.bob("POST", `/repository/${name}/manifest/${held.image.digest}/labels`, label);
      await held.calls.bob("POST", `/repository/${name}/changevisibility`, { visibility: "public" });
    },
  ],
];

withGates("attached statements and the pull gates", (test) => {
  for (const [title, refusing, go] of roads) {
    test(`${refusing[0] ?? "nothing"} refuses the image if ${title}`, async (held) => {
      await go(held);

      expect(await held.refusedBy()).toEqual(refusing);
    });
  }
});
