import { describe, expect, it } from "vitest";
import { resolveServiceSettings } from "./resolve-service-settings.ts";
import { meaningOf } from "./setting-meanings.ts";
import { type SettingName, settingKinds } from "./settings.ts";

const names = Object.keys(settingKinds) as SettingName[];

describe("meaningOf", () => {
  it.each(names)("has a meaning, a default and a valid example for %s", (name) => {
    const { meaning, default: usual, example } = meaningOf(name);

    expect(meaning).toMatch(/^[A-Z`].{10,}\.$/);
    expect(usual).not.toBe("");
    expect(settingKinds[name].fromJson(example)).toBeDefined();
  });

  it("names the real defaults", () => {
    const { registry, ...service } = resolveServiceSettings({}, {}, { env: {} });
    const inForce: Readonly<Record<string, unknown>> = { ...registry?.settings, ...service };
    const exact = names.filter((name) => /^(?:true|false|\d+|".*")$/.test(meaningOf(name).default));
    const known = exact.filter((name) => inForce[name] !== undefined);

    expect(known.length).toBeGreaterThan(25);
    for (const name of known) expect(meaningOf(name).default, name).toBe(JSON.stringify(inForce[name]));
  });
});
