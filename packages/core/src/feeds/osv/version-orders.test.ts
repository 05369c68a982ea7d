import { describe, expect, it } from "vitest";
import { allEcosystems } from "../../ecosystems/all.ts";
import { samplePackage } from "../../match/fixtures/samples.ts";
import { languagePurls } from "../../model/language-purls.ts";
import { languageKey } from "../../model/package.ts";
import { defaultOsvEcosystems } from "./updater.ts";
import { osvVersionOrder } from "./version-orders.ts";

describe("osvVersionOrder", () => {
  it("is the order by which the packages of each language are judged", () => {
    const asked = [...languagePurls].flatMap(([name, { separator }]) => {
      const record = {
        package: samplePackage(separator === undefined ? "a 1" : `group${separator}a 1`),
        packageDb: "",
        repositories: [{ id: "1", name, key: languageKey }],
      };
      return allEcosystems.flatMap(({ matchers, versions }) =>
        matchers.flatMap((matcher) =>
          matcher.accepts(record)
            ? matcher.keys(record).map(({ ecosystem }) => ({ ecosystem, order: versions?.name }))
            : [],
        ),
      );
    });
    const known = asked.filter(({ ecosystem }) => [...defaultOsvEcosystems, "Bitnami"].includes(ecosystem));

    expect(new Set(known.map(({ ecosystem }) => ecosystem)).size).toBeGreaterThan(12);
    expect(known.map(({ ecosystem }) => [ecosystem, osvVersionOrder(ecosystem).name])).toEqual(
      known.map(({ ecosystem, order }) => [ecosystem, order]),
    );
  });

  it.each([
    ["Debian", "dpkg"],
    ["Alpine", "apk"],
    ["AlmaLinux", "rpm"],
    ["unheard of", "rpm"],
  ])("%s: %s", (family, order) => {
    expect(osvVersionOrder(family).name).toBe(order);
  });
});
