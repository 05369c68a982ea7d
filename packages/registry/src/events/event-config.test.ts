import { describe, expect, it } from "vitest";
import { createSealer } from "../crypto/secrets.ts";
import { openConfig, sealConfig } from "./event-config.ts";

const secrets = createSealer(new Uint8Array(32), "secrets");
const config = { url: "https://hooks.example/sesame" };

describe("openConfig", () => {
  it("reads what was encrypted, what was stored before that, and nothing of another key", () => {
    const stored = sealConfig(secrets, config);

    expect(stored).not.toContain("sesame");
    expect(openConfig(secrets, stored)).toEqual(config);
    expect(openConfig(secrets, JSON.stringify(config))).toEqual(config);
    expect(openConfig(createSealer(new Uint8Array(32).fill(1), "secrets"), stored)).toBeUndefined();
  });
});
