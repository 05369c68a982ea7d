import { expireReferrerTags, putTag } from "@plimsoll/registry/content/tags";
import { engineTitle, type TestEngine, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { addTestManifest, addTestRepository } from "../fixtures/test-content.ts";
import { openTestRegistry } from "../fixtures/test-registry.ts";

const hex = { image: "a".repeat(64), signature: "b".repeat(64), other: "c".repeat(64) } as const;
type Content = keyof typeof hex;

/** A tag with the start and the end of its lifetime, in milliseconds. */
interface Put {
  readonly tag: string;
  readonly on: Content;
  readonly from: number;
  readonly to?: number;
}

const sig = `sha256-${hex.image}.sig`;
const image = (tag: string, from: number, to?: number): Put => ({ tag, on: "image", from, to: to || undefined });
const sibling = (tag: string, from: number, to?: number): Put => ({ tag, on: "signature", from, to: to || undefined });

/** The tags, and those that end at the instant 1000 with their ends. */
const rows: readonly { what: string; puts: readonly Put[]; ends: Readonly<Record<string, number>> }[] = [
  { what: "an image that has expired", puts: [image("1", 0, 500), sibling(sig, 10)], ends: { [sig]: 500 } },
  { what: "an image that expires now", puts: [image("1", 0, 1000), sibling(sig, 10)], ends: { [sig]: 1000 } },
  { what: "an image that expires later", puts: [image("1", 0, 1001), sibling(sig, 10)], ends: {} },
  {
    what: "the last of two tags",
    puts: [image("1", 0, 500), image("2", 0, 600), sibling(sig, 10)],
    ends: { [sig]: 600 },
  },
  { what: "one of two tags", puts: [image("1", 0, 500), image("2", 0), sibling(sig, 10)], ends: {} },
  { what: "a signature put later", puts: [image("1", 0, 500), sibling(sig, 501)], ends: {} },
  { what: "a signature that expires later", puts: [image("1", 0, 500), sibling(sig, 10, 2000)], ends: { [sig]: 500 } },
  { what: "a signature that expired before", puts: [image("1", 0, 500), sibling(sig, 10, 20)], ends: {} },
  { what: "an image that never had a tag", puts: [sibling(sig, 10)], ends: {} },
  {
    what: "all kinds",
    puts: [image("1", 0, 500), ...["att", "sbom"].map((kind) => sibling(`sha256-${hex.image}.${kind}`, 10))],
    ends: { [`sha256-${hex.image}.att`]: 500, [`sha256-${hex.image}.sbom`]: 500 },
  },
  {
    what: "the signature of a signature",
    puts: [image("1", 0, 500), sibling(sig, 10), { tag: `sha256-${hex.signature}.sig`, on: "other", from: 20 }],
    ends: { [sig]: 500, [`sha256-${hex.signature}.sig`]: 500 },
  },
  {
    what: "names that are nearly such",
    puts: [
      image("1", 0, 500),
      ...["sig", "SIG", ".sig", ".sigs", ".SIG"].map((end) => sibling(`sha256-${hex.image}${end}`, 10)),
      sibling(`SHA256-${hex.image}.att`, 10),
      sibling(`sha256-${hex.image}0.sig`, 10),
      sibling(`sha256-${hex.other}.sig`, 10),
    ],
    ends: { [sig]: 500 },
  },
];

async function openWorld(engine: TestEngine, puts: readonly Put[]) {
  const registry = await openTestRegistry({ engine });
  const { store, time } = registry;
  const began = time.now;
  const { id: namespaceId } = await registry.user("alice");
  const repositoryId = await addTestRepository(store.db, namespaceId);
  const ids = new Map<Content, string>();
  for (const [on, digest] of Object.entries(hex)) {
    ids.set(on as Content, await addTestManifest(store.db, repositoryId, `sha256:${digest}`));
  }
  for (const { tag: name, on, from, to } of puts) {
    const target = { repositoryId, name, manifestId: ids.get(on) ?? "", now: began + from };
    await store.transaction((db) => putTag(db, { ...target, endAt: to === undefined ? undefined : began + to }));
  }
  const look = () => store.transaction((db) => expireReferrerTags(db, { repositoryId, now: began + 1000 }));
  const tags = async () => {
    const lifetimes = await store.db.selectFrom("tag").select(["name", "end_at"]).execute();
    return new Map(lifetimes.map(({ name, end_at }) => [name, end_at === null ? undefined : end_at - began]));
  };
  return { look, tags, [Symbol.asyncDispose]: () => registry[Symbol.asyncDispose]() };
}

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "expireReferrerTags on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined).each(rows)("ends with its image: $what", async ({ puts, ends }) => {
      await using world = await openWorld(engine as TestEngine, puts);
      const before = await world.tags();

      const ended = await world.look();

      expect(ended.toSorted()).toEqual(Object.keys(ends).sort());
      expect(await world.tags()).toEqual(new Map([...before, ...Object.entries(ends)]));
      expect(await world.look()).toEqual([]);
    });
  },
);
