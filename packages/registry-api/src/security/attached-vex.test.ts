import { Buffer } from "node:buffer";
import { findImageRepository } from "@plimsoll/registry/access/queries";
import { findStoredManifest } from "@plimsoll/registry/content/queries/manifest-content";
import { basicScanner, type ImageScanner } from "@plimsoll/registry/ports/scanning";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import {
  digestOf,
  ociIndexType,
  ociManifestType,
  openTestDistribution,
  type TestDistribution,
} from "../fixtures/test-distribution.ts";
import { vulnerabilityReport, wholeCoverage } from "../fixtures/test-reports.ts";
import { attachDocument } from "./fixtures/attach-document.ts";
import { findImageSecurity } from "./shown-security.ts";

const name = "alice/images";
const now = Date.UTC(2026, 10, 25);
const openVex = "application/vnd.openvex+json";
const dsse = "application/vnd.dsse.envelope.v1+json";

const scanner: ImageScanner = {
  ...basicScanner,
  state: async () => "one",
  index: async () => {},
  find: async () => ({ status: "scanned", report: vulnerabilityReport, coverage: wholeCoverage }),
};

/** A document that says that the image is not affected by a vulnerability. */
function notAffected(vulnerability: string, product: string): string {
  return JSON.stringify({
    "@context": "https://openvex.dev/ns/v0.2.0",
    "@id": "https://example.com/vex/1",
    author: "Ada",
    timestamp: "2026-11-01T00:00:00Z",
    version: 1,
    statements: [
      {
        vulnerability: { name: vulnerability },
        products: [{ "@id": product }],
        status: "not_affected",
        justification: "vulnerable_code_not_in_execute_path",
      },
    ],
  });
}

const attested = (document: string, predicateType = "https://openvex.dev/ns/v0.2.0") => {
  const statement = {
    _type: "https://in-toto.io/Statement/v1",
    subject: [],
    predicateType,
    predicate: JSON.parse(document),
  };
  const payload = Buffer.from(JSON.stringify(statement)).toString("base64");
  return JSON.stringify({ payloadType: "application/vnd.in-toto+json", payload, signatures: [] });
};

interface Artifact {
  readonly subject?: string;
  readonly tag?: string;
  readonly mediaType?: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Attaches a document. @returns its digest */
function attach(world: TestDistribution, document: string, artifact: Artifact): Promise<string> {
  return attachDocument(world, name, { mediaType: openVex, ...artifact, document });
}

async function put(
  { send }: TestDistribution,
  reference: string,
  { body, type }: { readonly body: string; readonly type: string },
): Promise<void> {
  const answer = await send("PUT", `${name}/manifests/${reference}`, { headers: { "content-type": type }, body });
  if (answer.status !== 201) throw new Error(`${answer.status}: ${await answer.text()}`);
}

async function securityOf({ store, blobs }: TestDistribution, digest: string) {
  const repository = await findImageRepository(store.db, "alice", "images");
  const manifest = await findStoredManifest(store.db, { repositoryId: repository?.id ?? "", digest });
  if (manifest === undefined) throw new Error("the image is not there");
  const context = { db: store.db, blobs, imageScanner: scanner, now };
  const { data } = await findImageSecurity(context, manifest, new AbortController().signal);
  const { Features = [], Suppressed = [], Problems = [] } = data?.Layer ?? {};
  return {
    found: Features.flatMap(({ Vulnerabilities = [] }) => Vulnerabilities.map(({ Name }) => Name)),
    Suppressed,
    Problems,
  };
}

const both = ["CVE-2023-5678", "GHSA-c2qf-rxjj-qqgw"];

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "attached VEX on $title",
  ({ engine }) => {
    const test = (title: string, run: (world: TestDistribution, digest: string) => Promise<void>) =>
      it.skipIf(engine.skip !== undefined)(title, async () => {
        await using world = await openTestDistribution({ engine });
        const { digest } = await world.pushImage(name, "1");
        await run(world, digest);
      });

    test("takes nothing out where there is none", async (world, digest) => {
      expect(await securityOf(world, digest)).toEqual({ found: both, Suppressed: [], Problems: [] });
    });

    test("takes out what a referrer says is not affected, and lists it", async (world, digest) => {
      const document = await attach(world, notAffected("CVE-2022-25883", digest), { subject: digest });

      const { found, Suppressed } = await securityOf(world, digest);

      expect(found).toEqual(["CVE-2023-5678"]);
      expect(Suppressed).toEqual([
        {
          Name: "GHSA-c2qf-rxjj-qqgw",
          Package: "semver",
          Version: "7.5.1",
          Status: "not_affected",
          Justification: "vulnerable_code_not_in_execute_path",
          Detail: "",
          Author: "Ada",
          Source: expect.stringContaining(document),
        },
      ]);
    });

    test("takes out what an attestation says, by its subject or the tag of cosign", async (world, digest) => {
      const annotations = { predicateType: "https://openvex.dev/ns/v0.2.0" };
      await attach(world, attested(notAffected("CVE-2022-25883", digest)), {
        subject: digest,
        mediaType: dsse,
        annotations,
      });
      const tag = `${digest.replace(":", "-")}.att`;
      await attach(world, attested(notAffected("CVE-2023-5678", digest)), { tag, mediaType: dsse });

      expect((await securityOf(world, digest)).found).toEqual([]);
    });

    test("takes out what is attached to an index that lists the image", async (world, digest) => {
      const listed = [
        { mediaType: ociManifestType, digest, size: 1, platform: { os: "linux", architecture: "amd64" } },
      ];
      const index = JSON.stringify({ schemaVersion: 2, mediaType: ociIndexType, manifests: listed });
      await put(world, "all", { body: index, type: ociIndexType });
      await attach(world, notAffected("CVE-2023-5678", digestOf(index)), { subject: digestOf(index) });

      expect((await securityOf(world, digest)).found).toEqual(["GHSA-c2qf-rxjj-qqgw"]);
    });

    test("takes nothing out by what is about another image, or states something else", async (world, digest) => {
      const other = `sha256:${"e".repeat(64)}`;
      await attach(world, notAffected("CVE-2022-25883", other), { subject: digest });
      await attach(world, notAffected("CVE-2022-25883", digest), { subject: other });
      const provenance = attested('{"builder":{}}', "https://slsa.dev/provenance/v1");
      await attach(world, provenance, { subject: digest, mediaType: dsse });
      await attach(world, "{}", { subject: digest, mediaType: "application/vnd.example+json" });

      expect(await securityOf(world, digest)).toEqual({ found: both, Suppressed: [], Problems: [] });
    });

    test("says what cannot be read, and takes nothing out by it", async (world, digest) => {
      const broken = await attach(world, '{"@context":', { subject: digest });
      const unsealed = await attach(world, '{"payload":"eA=="}', { subject: digest, mediaType: dsse });
      const large = await attach(world, JSON.stringify("x".repeat(4 * 1024 * 1024)), { subject: digest });

      const { found, Problems } = await securityOf(world, digest);

      expect(found).toEqual(both);
      expect(Problems.map(({ At, Code }) => `${Code} ${At}`)).toContain(`attached_vex ${large}`);
      expect([broken, unsealed, large]).toEqual(expect.arrayContaining(Problems.map(({ At }) => At)));
    });
  },
);
