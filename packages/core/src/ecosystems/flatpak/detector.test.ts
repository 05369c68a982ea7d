import { describe, expect, it } from "vitest";
import { fileOf, indexLayers, listPackages } from "../language/fixtures/index-layers.ts";

describe("flatpakDetector", () => {
  it.each([
    ["var/lib/flatpak/app/org.gnome.gedit/x86_64/stable", "org.gnome.gedit stable"],
    ["var/lib/flatpak/runtime/org.freedesktop.Platform/x86_64/23.08", "org.freedesktop.Platform 23.08"],
    ["root/.local/share/flatpak/app/org.x/x86_64/stable", "org.x stable"],
    ["home/a/.local/share/flatpak/runtime/org.x.Platform/x86_64/23.08", "org.x.Platform 23.08"],
  ])("finds %s", async (folder, expected) => {
    const path = `${folder}/0a1b/metadata`;

    const report = await indexLayers([[fileOf(path, "[Application]\n")]]);

    expect(listPackages(report)).toEqual([`${expected} (flatpak) ${path}`]);
    expect(report.coverage.unassessed).toEqual([]);
  });
});
