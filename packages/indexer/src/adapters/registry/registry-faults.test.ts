import type { OpenSourceOptions } from "@plimsoll/core/internal";
import { layerChecking, type RegistryFault } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { delays, pull, serve, withCode } from "./fixtures/pulls.ts";

describe("fromRegistry where a registry fails", () => {
  it.each<[string, RegistryFault, string]>([
    ["to a file", { kind: "redirect", path: "/manifests/", location: "file:///etc/passwd" }, "that is not http(s)"],
    ["in circles", { kind: "redirect", path: "/manifests/", location: "/v2/team/app/manifests/1.0" }, "redirects"],
  ])("does not follow redirects %s", async (_name, fault, message) => {
    await serve({}, async (server) => {
      server.fail(...Array.from({ length: 6 }, () => fault));
      await expect(pull(server, "team/app:1.0")).rejects.toEqual(withCode("source_unreachable", message));
    });
  });

  it.each<[string, RegistryFault]>([
    ["a 503", { kind: "status", status: 503, path: "/manifests/" }],
    ["a 500 of a blob", { kind: "status", status: 500, path: "/blobs/" }],
    ["a reset manifest", { kind: "reset", afterBytes: 10, path: "/manifests/" }],
    ["a blob reset before its first byte", { kind: "reset", afterBytes: 0, path: "/blobs/" }],
    ["a token endpoint's 503", { kind: "status", status: 503, path: "/token" }],
  ])("tries again after %s", async (_name, fault) => {
    await serve({ auth: "token" }, async (server, image) => {
      server.fail(fault);
      const [found] = await pull(server, "team/app:1.0");
      expect(found?.manifestDigest).toBe(image.digest);
    });
  });

  it("waits as long as a registry asks, and gives up when that is too long", async () => {
    await serve({}, async (server) => {
      server.fail({ kind: "status", status: 429, path: "/manifests/", headers: { "retry-after": "7" } });
      delays.length = 0;
      await pull(server, "team/app:1.0");
      expect(delays).toEqual([7000]);

      server.fail({ kind: "status", status: 429, path: "/manifests/", headers: { "retry-after": "3600" } });
      await expect(pull(server, "team/app:1.0")).rejects.toEqual(withCode("source_unreachable", "limits"));
    });
  });

  it.each([
    ["with ranges", false],
    ["from servers that ignore ranges", true],
  ])("takes up a blob where the connection broke, %s", async (_name, ignoreRanges) => {
    await serve({ ignoreRanges }, async (server, image) => {
      const path = `/blobs/${image.layers[1]?.digest}`;
      server.fail({ kind: "reset", afterBytes: 100_000, path }, { kind: "truncate", afterBytes: 70_000, path });
      await pull(server, "team/app:1.0");
      const ranges = server.requests.filter((request) => request.path.endsWith(path)).map(({ range }) => range);
      expect(ranges).toHaveLength(3);
      expect(ranges[0]).toBeUndefined();
      expect(ranges[1]).toMatch(/^bytes=\d+-$/);
    });
  });

  it("gives up after the last attempt, naming the host and the blob", async () => {
    await serve({}, async (server, image) => {
      const digest = image.layers[1]?.digest ?? "";
      server.fail(...Array.from({ length: 5 }, () => ({ kind: "reset", afterBytes: 10, path: digest }) as const));
      const error = await pull(server, "team/app:1.0").catch((caught: unknown) => caught);
      expect(error).toEqual(withCode("source_unreachable", server.host));
      expect(error).toEqual(withCode("source_unreachable", digest));
    });
  });

  it("asks again for what does not come, after the idle time", async () => {
    await serve({}, async (server, image) => {
      server.fail({ kind: "stall", afterBytes: 10, path: image.layers[1]?.digest ?? "" });
      const [found] = await pull(server, "team/app:1.0", { options: { timeouts: { idleMs: 100 } } });
      expect(found?.manifestDigest).toBe(image.digest);
    });
  });

  it("stops waiting for a layer when the signal of its reader does", async () => {
    await serve({}, async (server, image) => {
      server.fail({ kind: "stall", afterBytes: 10, path: image.layers[1]?.digest ?? "" });
      const readLayer: OpenSourceOptions["readLayer"] = async (layer) => {
        const giveUp = new AbortController();
        for await (const _chunk of layer.open(giveUp.signal)) {
          if (layer.expected.digest === image.layers[1]?.digest) giveUp.abort();
        }
        return layerChecking().readLayer(layer);
      };
      await expect(pull(server, "team/app:1.0", { options: {}, opening: { readLayer } })).rejects.toEqual(
        withCode("aborted"),
      );
    });
  });

  it("ends a stalled layer at its deadline", async () => {
    await serve({}, async (server, image) => {
      server.fail({ kind: "stall", afterBytes: 10, path: image.layers[1]?.digest ?? "" });
      await expect(pull(server, "team/app:1.0", { options: { timeouts: { layerMs: 200 } } })).rejects.toEqual(
        withCode("timed_out"),
      );
    });
  });

  it("stops when its signal does", async () => {
    await serve({}, async (server, image) => {
      const controller = new AbortController();
      server.fail({ kind: "stall", afterBytes: 10, path: image.layers[1]?.digest ?? "" });
      const readLayer: OpenSourceOptions["readLayer"] = async (layer) => {
        for await (const _chunk of layer.open())
          if (layer.expected.digest === image.layers[1]?.digest) controller.abort();
        return layerChecking().readLayer(layer);
      };
      await expect(
        pull(server, "team/app:1.0", { options: {}, opening: { signal: controller.signal, readLayer } }),
      ).rejects.toEqual(withCode("aborted"));
    });
  });
});
