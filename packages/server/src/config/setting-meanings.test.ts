import { describe, expect, it } from "vitest";
import { resolveServiceSettings } from "./resolve-service-settings.ts";
import { meaningOf } from "./setting-meanings.ts";
import { settingKinds } from "./settings.ts";

const names = Object.keys(settingKinds) as (keyof typeof settingKinds)[];

describe("meaningOf", () => {
  it.each(names)("says what %s means, and its default", (name) => {
    const { meaning, default: usual } = meaningOf(name);

    expect(meaning).toMatch(/^[A-Z`].{10,}\.$/);
    expect(usual).not.toBe("");
  });

  it("tells the defaults that hold", () => {
    const { registry, ...service } = resolveServiceSettings({}, {}, { env: {} });
    const inForce: Readonly<Record<string, unknown>> = { ...registry?.settings, ...service };
    const told = names.filter((name) => /^(?:true|false|\d+|".*")$/.test(meaningOf(name).default));
    const known = told.filter((name) => inForce[name] !== undefined);

    expect(known.length).toBeGreaterThan(25);
    for (const name of known) expect(meaningOf(name).default, name).toBe(JSON.stringify(inForce[name]));
  });
});
