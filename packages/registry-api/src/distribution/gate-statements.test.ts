import { findImageRepository } from "@plimsoll/registry/access/queries";
import { noPorts } from "@plimsoll/registry/ports";
import { expect } from "vitest";
import { digestOf } from "../fixtures/test-distribution.ts";
import { viewManifestGate } from "../security/pull-gate/view-manifest-gate.ts";
import { name, notAffected, ours, pemOf } from "./fixtures/attestations.ts";
import { attestedBy, type Held, scanner, statement, withGates } from "./fixtures/held-gates.ts";

async function viewOf({ world: { store, blobs, registry }, image }: Held) {
  const repository = await findImageRepository(store.db, "acme", "app");
  if (repository === undefined) throw new Error("the repository is not there");
  const context = { ...noPorts, db: store.db, blobs, imageScanner: scanner, now: registry.time.now };
  return viewManifestGate(context, { repository, reference: image.digest }, new AbortController().signal);
}

withGates("statements in the decisions of pull gates", (test) => {
  test("are named where they do not count, with the reason and what to do", async (held) => {
    await held.attach("bob", statement(held));

    const { message, detail } = await held.refusal();

    const document = digestOf(notAffected(held.image.digest));
    const reason = "attached by bob, not by an admin of the organization acme";
    expect(message).toContain(
      `; the VEX document ${document} (${reason}) does not count until an admin of the organization attaches it, or it is signed by a key that the gate names; `,
    );
    expect(detail).toMatchObject({ gate: "organization", ignored_statements: [{ document, reason }] });
    const log = await held.world.registry.usageLog();
    expect(log.filter(({ kind }) => kind === "pull_repo_failed")).toMatchObject([
      { metadata: { pull_gate: { ignored_statements: [{ document, reason }] } } },
    ]);
  });

  test("are named with the account or the key by which the image passes", async (held) => {
    const key = { name: "release", public_key: pemOf(ours) };
    await held.calls.carol("POST", "/organization/acme/pullgate/keys", key);
    const seen: unknown[] = [];
    for (const [who, artifact] of [
      ["carol", statement(held)],
      ["bob", attestedBy(held, ours)],
    ] as const) {
      const artifactDigest = await held.attach(who, artifact);
      expect(await held.refusedBy()).toEqual([]);
      const { opinions, documents } = await viewOf(held);
      seen.push([opinions[0]?.statements, documents.map(({ organization }) => organization)]);
      await held.world.send("DELETE", `${name}/manifests/${artifactDigest}`);
    }

    const named = "the key release of the organization";
    expect(seen).toMatchObject([
      [[{ by: "carol" }], [{ counts: true, by: "carol" }]],
      [[{ by: named }], [{ counts: true, by: named }]],
    ]);
    const log = await held.world.registry.usageLog();
    const passed = log.filter(({ kind, metadata }) => kind === "pull_repo" && "pull_gate" in (metadata as object));
    expect(passed).toMatchObject([
      { metadata: { pull_gate: { gate: "organization", verdict: "allow", statements: [{ by: "carol" }] } } },
      { metadata: { pull_gate: { statements: [{ by: named }] } } },
    ]);
  });
});
