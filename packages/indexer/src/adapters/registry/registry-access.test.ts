import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { BlobLayer } from "@plimsoll/core/internal";
import { layerChecking, type RegistryServerOptions } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { fixedCredential } from "./credentials.ts";
import { open, pull, serve, withCode } from "./fixtures/pulls.ts";
import type { RegistryOptions } from "./from-registry.ts";

const user = { kind: "basic", username: "ann", password: "pass:word" } as const;
const users = { ann: "pass:word" };

describe("fromRegistry with credentials", () => {
  it.each<[string, RegistryServerOptions, RegistryOptions["credentials"]]>([
    ["anonymous tokens", { auth: "token" }, undefined],
    ["access_token", { auth: "token", tokenMember: "access_token" }, undefined],
    ["tokens for a user", { auth: "token", users }, { find: async () => user }],
    [
      "a refresh token",
      { auth: "token", users, identityToken: "refresh" },
      { find: async () => ({ kind: "identity-token", token: "refresh" }) },
    ],
    ["basic", { auth: "basic", users }, { find: async () => user }],
  ])("pulls with %s", async (_name, serverOptions, credentials) => {
    await serve(serverOptions, async (server, image) => {
      const [found] = await pull(server, "team/app:1.0", { options: credentials === undefined ? {} : { credentials } });
      expect(found?.manifestDigest).toBe(image.digest);
      const tokens = server.requests.filter(({ path }) => path.startsWith("/token"));
      expect(tokens).toHaveLength(serverOptions.auth === "token" ? 1 : 0);
    });
  });

  it("takes a new token when the old one is no longer accepted", async () => {
    await serve({ auth: "token" }, async (server) => {
      await using source = await open(`${server.host}/team/app:1.0`);
      server.forgetTokens();
      const [layer] = (source.images[0]?.layers ?? []) as BlobLayer[];
      if (layer === undefined) throw new Error("no layer");
      expect(await layerChecking().readLayer(layer)).toMatchObject({ digest: layer.digest });
    });
  });

  it("says that a login is needed, or that it is not valid, without telling secrets", async () => {
    await serve({ auth: "token", users }, async (server) => {
      const wrong = fixedCredential(server.host, { kind: "basic", username: "ann", password: "s3cret-Pw" });
      const error = await pull(server, "team/app:1.0", { options: { credentials: wrong } }).catch(
        (caught: unknown) => caught,
      );

      await expect(pull(server, "team/app:1.0")).rejects.toEqual(withCode("unauthorized", "log in"));
      expect(error).toEqual(withCode("unauthorized", "log in again"));
      expect(String(error)).not.toContain("s3cret-Pw");
      expect(String(error)).not.toContain(Buffer.from("ann:s3cret-Pw").toString("base64"));
    });
  });

  it("says to log in where only a password would do", async () => {
    await serve({ auth: "basic", users }, async (server) => {
      await expect(pull(server, "team/app:1.0")).rejects.toEqual(withCode("unauthorized", "log in"));
    });
  });

  it("says to log in when an anonymous token is not enough", async () => {
    await serve({ auth: "token" }, async (server) => {
      server.fail(...Array.from({ length: 2 }, () => ({ kind: "status", status: 401, path: "/manifests/" }) as const));
      await expect(pull(server, "team/app:1.0")).rejects.toEqual(withCode("unauthorized", `log in to ${server.host}`));
    });
  });

  it("does not send credentials to a token endpoint without TLS on another machine", async () => {
    await serve({ auth: "token", users, realm: "http://auth.example/token" }, async (server) => {
      await expect(
        pull(server, "team/app:1.0", { options: { credentials: { find: async () => user } } }),
      ).rejects.toEqual(withCode("source_unreachable", "http://auth.example"));
    });
  });

  it("names the token service where that is what cannot be reached", async () => {
    await serve({ auth: "token", users, realm: "http://127.0.0.1:1/token" }, async (server) => {
      const message = `the token service 127.0.0.1:1 cannot be reached for the token that ${server.host} asks for (`;
      await expect(pull(server, "team/app:1.0")).rejects.toEqual(withCode("source_unreachable", message));
    });
  });

  it("names the token service where its answer breaks", async () => {
    const service = createServer((_request, response) => {
      response.writeHead(200, { "content-length": 100 }).write("{", () => response.destroy());
    });
    await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
    const host = `127.0.0.1:${(service.address() as AddressInfo).port}`;
    await serve({ auth: "token", realm: `http://${host}/token` }, async (server) => {
      const message = `the token service ${host} cannot be reached for the token that ${server.host} asks for (`;
      await expect(pull(server, "team/app:1.0")).rejects.toEqual(withCode("source_unreachable", message));
    });
    service.close();
  });

  it("follows redirects to blob storage without the authorization", async () => {
    await serve({ auth: "token", redirectBlobs: true }, async (server) => {
      await pull(server, "team/app:1.0");
      const storage = server.requests.filter(({ origin }) => origin === "storage");
      expect(storage).toHaveLength(3);
      expect(storage.every(({ authorization }) => authorization === undefined)).toBe(true);
    });
  });

  it("names the host that a redirect led to where that is what cannot be reached", async () => {
    await serve({}, async (server) => {
      const location = "http://127.0.0.1:1/storage";
      server.fail(...Array.from({ length: 6 }, () => ({ kind: "redirect", path: "/blobs/", location }) as const));
      const message = `127.0.0.1:1, where ${server.host} leads, cannot be reached for document sha256:`;
      await expect(pull(server, "team/app:1.0")).rejects.toEqual(withCode("source_unreachable", message));
    });
  });

  it("does not answer a challenge of blob storage", async () => {
    await serve({ auth: "token", users, redirectBlobs: true }, async (server) => {
      const headers = { "www-authenticate": `Bearer realm="http://${server.host}/token",service="test-registry"` };
      server.fail({ kind: "status", status: 401, path: "signature=", headers });
      const credentials = { find: async () => user };
      await expect(pull(server, "team/app:1.0", { options: { credentials } })).rejects.toEqual(
        withCode("unauthorized"),
      );
      expect(server.requests.filter(({ path }) => path.startsWith("/token"))).toHaveLength(1);
    });
  });
});
