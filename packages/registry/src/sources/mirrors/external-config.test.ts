import { describe, expect, it } from "vitest";
import { createSealer } from "../../crypto/secrets.ts";
import { hideCredentials, mergeConfig, type StoredConfig, shownConfig } from "./external-config.ts";

const secrets = createSealer(new Uint8Array(32), "secrets");

const address = "http://me:pass@proxy.example:3128";
const shown = "http://********@proxy.example:3128";

describe("hideCredentials", () => {
  it.each([
    ["http://proxy.example:3128", "http://proxy.example:3128"],
    ["proxy.example", "proxy.example"],
    ["", ""],
    [address, shown],
    ["HTTP://me:pass@proxy.example", "HTTP://********@proxy.example"],
    ["socks5+tls://me:pass@proxy.example", "socks5+tls://********@proxy.example"],
    ["http://token@proxy.example", "http://********@proxy.example"],
    ["me:p@ss@proxy.example", "********@proxy.example"],
    ["http://me:pa\nss@proxy.example", "http://********@proxy.example"],
    [shown, shown],
  ])("shows %j as %j", (whole, hidden) => {
    expect(hideCredentials(whole)).toBe(hidden);
  });
});

describe("mergeConfig", () => {
  const merge = (stored: StoredConfig, http_proxy?: string | null) =>
    mergeConfig(secrets, stored, { proxy: http_proxy === undefined ? {} : { http_proxy } });
  const whole = ({ proxy, proxy_sealed: sealed }: StoredConfig) =>
    sealed?.http_proxy === undefined ? proxy?.http_proxy : secrets.open(sealed.http_proxy);

  const sealed = merge({}, address);
  const unsealed = { proxy: { http_proxy: address } };

  it.each([
    { what: "seals credentials", stored: {}, given: address, expected: address },
    { what: "keeps an address that is not named", stored: sealed, given: undefined, expected: address },
    { what: "keeps an address that comes back as it was shown", stored: sealed, given: shown, expected: address },
    { what: "seals what an older release stored", stored: unsealed, given: undefined, expected: address },
    { what: "seals it when it comes back as it was shown", stored: unsealed, given: shown, expected: address },
    { what: "takes other credentials", stored: sealed, given: "http://you:x@b", expected: "http://you:x@b" },
    { what: "takes an address without credentials", stored: sealed, given: "http://b", expected: "http://b" },
    { what: "takes no address any more", stored: sealed, given: "", expected: "" },
  ])("$what", ({ stored, given, expected }) => {
    const merged = merge(stored, given);

    expect(whole(merged)).toBe(expected);
    expect(shownConfig(merged)).toEqual({ proxy: { http_proxy: hideCredentials(expected) } });
    expect(JSON.stringify(merged)).not.toMatch(/me:pass|you:x/);
    expect(merged.proxy_sealed === undefined).toBe(!expected.includes("@"));
  });

  it.each([sealed, unsealed, {}])("takes the proxies of %j away that are null", (stored) => {
    const bypass = mergeConfig(secrets, stored, { proxy: { no_proxy: "localhost", https_proxy: "http://b" } });

    const cleared = mergeConfig(secrets, bypass, { proxy: { http_proxy: null, https_proxy: null, no_proxy: null } });

    expect(cleared).toEqual({});
  });

  it.each([
    { what: "none is stored", stored: {}, given: shown },
    { what: "another address is stored", stored: sealed, given: "http://********@other.example" },
    { what: "an address without credentials is stored", stored: { proxy: { http_proxy: "http://b" } }, given: shown },
  ])("refuses hidden credentials where $what, and does not repeat the address", ({ stored, given }) => {
    expect(() => merge(stored, given)).toThrow(/^http_proxy: the credentials are hidden/);
  });

  it("keeps what is not named, and stores nothing where nothing is", () => {
    const given = { verify_tls: false, proxy: { no_proxy: "localhost" } };

    expect(mergeConfig(secrets, { ...sealed, unsigned_images: true }, given)).toEqual({
      verify_tls: false,
      unsigned_images: true,
      proxy: { http_proxy: shown, no_proxy: "localhost" },
      proxy_sealed: sealed.proxy_sealed,
    });
    expect(mergeConfig(secrets, {}, { proxy: {} })).toEqual({});
  });
});

describe("shownConfig", () => {
  it("hides credentials of rows that an older release stored", () => {
    const proxy = { http_proxy: address, https_proxy: "https://proxy.example", no_proxy: "localhost" };

    expect(shownConfig({ verify_tls: true, proxy })).toEqual({
      verify_tls: true,
      proxy: { ...proxy, http_proxy: shown },
    });
  });
});
