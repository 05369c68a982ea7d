/** A client that is generated from discovery calls every operation in it. */
import { type ClientOperation, generateClient, memoryTestEngine } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { examples, fillIn, usernameOf, valuesOf } from "./fixtures/examples.ts";
import { matcherOf } from "./fixtures/matcher.ts";
import { firstAdmitted, type GoldenOperation, isEverAdmitted, readGolden } from "./fixtures/read-golden.ts";
import { type Headers, openSessions } from "./fixtures/sessions.ts";
import { openWorld, type UserName, type World } from "./fixtures/world.ts";

/** The operations whose features are on in this world and that at least one caller may use. */
const golden = readGolden().filter(isEverAdmitted);

describe("a client generated from discovery", () => {
  let world: World;
  let sessions: Readonly<Record<UserName, Headers>>;
  let call: (operation: GoldenOperation) => Promise<unknown>;
  let operations: ReadonlyMap<string, ClientOperation>;

  beforeAll(async () => {
    world = await openWorld(memoryTestEngine);
    world.rehearsal.on = true; // each call finds the world as it was
    sessions = await openSessions(world);
    const { body } = await world.registry.anonymous("GET", "/discovery?internal=true");
    const client = await generateClient(body);
    operations = client.operations;
    client.settings.BASE = await world.registry.sender.originOver("HTTP/1.1");
    call = async (operation) => {
      const caller = firstAdmitted(operation);
      client.settings.HEADERS = sessions[caller];
      return operations.get(operation.id)?.(
        valuesOf(operation, world, usernameOf(caller)) as Readonly<Record<string, unknown>>,
      );
    };
  });
  afterAll(() => world.registry[Symbol.asyncDispose]());

  it.each(golden)("$id is called, and answered as written", async (operation) => {
    const answer = await call(operation);

    const { shows } = examples[operation.id] ?? {};
    const username = usernameOf(firstAdmitted(operation));
    if (operation.success === 204) expect(answer).toBeUndefined();
    else expect(answer).toEqual(matcherOf(fillIn(shows, world, username)));
  });
});
