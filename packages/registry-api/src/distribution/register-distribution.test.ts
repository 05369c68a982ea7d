import { BlobStoreError } from "@plimsoll/registry/ports/blob-store";
import { StoreError } from "@plimsoll/store";
import { expect } from "vitest";
import { beginUpload, errorOf, headersOf, onEachEngine } from "../fixtures/each-engine.ts";
import { digestOf, type TestDistributionOptions, testAuth } from "../fixtures/test-distribution.ts";

const name = "alice/images";

onEachEngine("registerDistribution", (test) => {
  test("greets those who are known and tells others how to show who they are", async ({ send }) => {
    const known = await send("GET", "/v2/");
    const unknown = await send("GET", "/v2/", { as: "" });

    expect([known.status, await known.json()]).toEqual([200, {}]);
    expect(headersOf(known, "docker-distribution-api-version")).toEqual(["registry/2.0"]);
    expect(headersOf(unknown, "www-authenticate")).toEqual(['Bearer realm="test",service="test"']);
    expect(await errorOf(unknown)).toBe("401 UNAUTHORIZED");
  });

  test("are refused where they are not of the protocol", async ({ send }) => {
    expect(await errorOf(await send("GET", "/v2/alice/images"))).toBe("404 NAME_UNKNOWN");
    expect(await errorOf(await send("GET", "/v2/Alice/Images/tags/list"))).toBe("400 NAME_INVALID");
    expect(await errorOf(await send("GET", "/v2/alice/a%2fb/tags/list"))).toBe("404 NAME_UNKNOWN");
    expect((await send("GET", "/v2/alice/%zz/tags/list")).status).toBe(400);
    expect(await errorOf(await send("GET", `/v2/alice/${"a".repeat(300)}/tags/list`))).toBe("400 NAME_INVALID");
    expect(await errorOf(await send("GET", "/v2/alice/new/tags/list"))).toBe("404 NAME_UNKNOWN");
    const wrong = await send("PATCH", "/v2/alice/images/tags/list");
    expect(wrong.headers.get("allow")).toBe("GET");
    expect(await errorOf(wrong)).toBe("405 UNSUPPORTED");
  });

  test("see what they may and are told what they would have to show", async ({ send, pushImage, store, registry }) => {
    await pushImage(name, "latest");
    await registry.user("bob");
    const get = (as: string) => send("GET", `${name}/manifests/latest`, { as });
    const push = (as: string) => send("POST", `${name}/blobs/uploads/`, { as });

    const stranger = await get("bob");
    expect(headersOf(stranger, "www-authenticate")).toEqual([
      `Bearer realm="test",service="test",scope="repository:${name}:pull",error="insufficient_scope"`,
    ]);
    expect(await errorOf(stranger)).toBe("401 UNAUTHORIZED");
    const anonymous = await get("");
    expect([anonymous.status, ...headersOf(anonymous, "www-authenticate")]).toEqual([
      401,
      `Bearer realm="test",service="test",scope="repository:${name}:pull"`,
    ]);
    expect((await push("bob")).headers.get("www-authenticate")).toContain(`repository:${name}:pull,push`);
    expect((await send("POST", "alice/new/blobs/uploads/", { as: "bob" })).status).toBe(401);
    expect((await send("POST", "nobody/new/blobs/uploads/")).status).toBe(401);
    await store.db.updateTable("image_repository").set({ visibility: "public" }).execute();
    expect([(await get("bob")).status, (await get("")).status, (await push("bob")).status]).toEqual([200, 200, 401]);
  });

  test("are held to what their token is for", async ({ send, pushImage }) => {
    await pushImage(name, "latest");
    const as = `alice ${name} pull`;

    expect((await send("GET", `${name}/manifests/latest`, { as })).status).toBe(200);
    expect((await send("POST", `${name}/blobs/uploads/`, { as })).status).toBe(401);
    expect((await send("POST", "alice/other/blobs/uploads/", { as })).status).toBe(401);
  });

  test("push nothing to what is read-only or a mirror, and are told why if they may write", async (world) => {
    const { send, pushImage, store, registry } = world;
    await pushImage(name, "latest");
    await registry.user("bob");
    const as = `alice ${name} pull`; // the token that the token service gives

    for (const [state, reason] of [
      ["READ_ONLY", "is read-only: "],
      ["MIRROR", "is a mirror, so only its robot changes it: push to another repository"],
    ] as const) {
      await store.db.updateTable("image_repository").set({ state }).execute();
      for (const [method, path] of [
        ["POST", "blobs/uploads/"],
        ["DELETE", "manifests/latest"],
      ] as const) {
        const answer = await send(method, `${name}/${path}`, { as });
        const [error] = ((await answer.json()) as { errors: readonly { code: string; message: string }[] }).errors;
        expect([answer.status, error?.code]).toEqual([403, "DENIED"]);
        expect(error?.message).toContain(`the repository ${name} ${reason}`);
        expect(error?.message).toContain("sets its state to NORMAL");
        expect((await send(method, `${name}/${path}`, { as: "bob" })).status).toBe(401);
      }
      expect((await send("GET", `${name}/manifests/latest`)).status).toBe(200);
    }
  });

  test("read what there is, and change nothing, while the registry is read-only", async (world) => {
    const { send, pushImage, registry } = world;
    const { layer } = await pushImage(name, "latest");
    const upload = await beginUpload(world);
    Object.assign(registry.settings, { readOnly: true });
    const changes = [
      ["POST", `${name}/blobs/uploads/`],
      ["POST", "alice/new/blobs/uploads/"],
      ["PATCH", upload],
      ["PUT", `${upload}?digest=${layer}`],
      ["DELETE", upload],
      ["PUT", `${name}/manifests/other`],
      ["DELETE", `${name}/manifests/latest`],
      ["DELETE", `${name}/blobs/${layer}`],
    ] as const;

    for (const [method, path] of changes) {
      const answer = await send(method, path);
      expect([method, path, answer.status]).toEqual([method, path, 405]);
      expect(await answer.json()).toMatchObject({ errors: [{ code: "DENIED" }], is_readonly: true });
    }
    for (const path of ["manifests/latest", `blobs/${layer}`, "tags/list", `referrers/${layer}`]) {
      expect([path, (await send("GET", `${name}/${path}`)).status]).toEqual([path, 200]);
    }
    expect((await send("HEAD", `${name}/manifests/latest`)).status).toBe(200);
    expect((await send("GET", upload)).status).toBe(204);
  });

  test("find nothing that has U+0000 in its name", async ({ send, pushImage }) => {
    const { layer } = await pushImage(name, "latest");
    const addresses = [
      ["GET", `${name}/tags/list?last=%00`],
      ["GET", "_catalog?last=alice/%00"],
      ["GET", `${name}/referrers/${layer}?artifactType=%00`],
      ["GET", `${name}/referrers/${layer}?last=%00`],
      ["GET", `${name}/manifests/%00`],
      ["POST", `${name}/blobs/uploads/?mount=${layer}&from=alice/%00`],
    ] as const;

    for (const [method, path] of addresses) {
      expect([path, await errorOf(await send(method, path))]).toEqual([path, "400 INVALID_REQUEST"]);
    }
  });

  const logged: unknown[] = [];
  const failing = new Map<string, Error>();
  const troubled: Omit<TestDistributionOptions, "engine"> = {
    auth(app, { store }) {
      app.log.error = (line: unknown) => void logged.push(line);
      return testAuth(store);
    },
    wrapBlobs: (blobs) => ({
      ...blobs,
      commit: (uploadId, digest) => {
        const error = failing.get(digest);
        return error === undefined ? blobs.commit(uploadId, digest) : Promise.reject(error);
      },
    }),
  };
  const troubles = [
    {
      error: new Error("secret of the host"),
      status: 500,
      message: expect.stringMatching(/^internal error; the log has it under request \S+$/),
    },
    {
      error: new BlobStoreError("unavailable", "<AWSAccessKeyId>"),
      status: 503,
      message: "the blob store cannot be used at the moment",
      isLoggedElsewhere: true,
    },
    {
      error: new BlobStoreError("full", "there is no room"),
      status: 507,
      message: "there is no room",
      isLoggedElsewhere: true,
    },
    {
      error: new StoreError("disk_full", "/data/plimsoll.db cannot grow"),
      status: 507,
      message: "the database cannot be changed at the moment: try again later",
      isLoggedElsewhere: true,
    },
    {
      error: new StoreError("locked", "/data/plimsoll.db is locked"),
      status: 503,
      message: "the database cannot be used at the moment: try again later",
    },
  ];
  for (const { error, status, message, isLoggedElsewhere } of troubles) {
    const what = `tell the client of ${status} only ${JSON.stringify(message)}, and the log all`;
    test(
      `${what}: ${error.message}`,
      async ({ send }) => {
        const digest = digestOf(error.message);
        failing.set(digest, error);

        const answer = await send("POST", `${name}/blobs/uploads/?digest=${digest}`, { body: error.message });

        expect(answer.status).toBe(status);
        expect(await answer.json()).toEqual({ errors: [{ code: "UNKNOWN", message }] });
        expect(logged.splice(0)).toMatchObject(isLoggedElsewhere ? [] : [{ err: error }]);
      },
      troubled,
    );
  }
});
