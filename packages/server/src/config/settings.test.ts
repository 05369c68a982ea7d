import { describe, expect, it } from "vitest";
import { nearestWord } from "./nearest-word.ts";
import { environmentName, settingsOfEnvironment, settingsOfFile } from "./settings.ts";

describe("settingsOfFile", () => {
  it("reads every kind of setting", () => {
    const given = {
      db: "a.db",
      strict: true,
      output: ["json"],
      maxDbAgeDays: 2,
      feeds: { debian: "d.json" },
      color: "never",
    };

    expect(settingsOfFile("p.json", given)).toEqual(given);
  });

  it.each([
    { content: { BROWSER_API_CALLS_XHR_ONLY: false }, isOn: false },
    { content: { browserCallsXhrOnly: true, BROWSER_API_CALLS_XHR_ONLY: false }, isOn: true },
  ])(
    "reads the name that other registries have for a setting, if its own is not set: $content",
    ({ content, isOn }) => {
      expect(settingsOfFile("p.json", content)).toEqual({ browserCallsXhrOnly: isOn });
    },
  );

  it.each([
    [{ failon: "high" }, 'there is no setting "failon"; did you mean "failOn"?'],
    [{ strict: "yes" }, "strict: expected true or false"],
    [{ color: "pink" }, "color: expected auto, always, never"],
    [{ maxDbAgeDays: 0 }, "a number of days above 0"],
    [{ keptLimits: { robot: 5 } }, 'keptLimits: there is no member "robot"; did you mean "robots"?'],
    [{ buildLimits: { memory: 5 } }, 'buildLimits: there is no member "memory"; did you mean "memoryBytes"?'],
    [{ buildLimits: { memoryBytes: "2 GB" } }, "buildLimits: memoryBytes: expected a whole number above 0"],
    [{ features: { build: true } }, 'features: there is no member "build"; did you mean "builds"?'],
    [{ features: { builds: "on" } }, "features: builds: expected true or false"],
    [{ features: true }, "features: expected an object of true and false, of "],
    [[], "expected an object of settings by name"],
    ["text", "expected an object of settings by name"],
  ])("refuses %j", (content, message) => {
    expect(() => settingsOfFile("p.json", content)).toThrow(message);
    expect(() => settingsOfFile("p.json", content)).toThrow("p.json");
  });
});

describe("settingsOfEnvironment", () => {
  it("reads the variables that are set", () => {
    const env = {
      PLIMSOLL_FAIL_ON: "high+",
      PLIMSOLL_OFFLINE: "1",
      PLIMSOLL_DB: "",
      OTHER: "x",
      PLIMSOLL_OUTPUT: "table json=f",
    };

    expect(settingsOfEnvironment(env)).toEqual({ failOn: "high+", offline: true, output: ["table", "json=f"] });
  });

  it("reads the name that other registries have for a setting, if its own is not set", () => {
    const other = { BROWSER_API_CALLS_XHR_ONLY: "False" };

    expect(settingsOfEnvironment(other)).toEqual({ browserCallsXhrOnly: false });
    expect(settingsOfEnvironment({ ...other, PLIMSOLL_BROWSER_CALLS_XHR_ONLY: "true" })).toEqual({
      browserCallsXhrOnly: true,
    });
    expect(() => settingsOfEnvironment({ BROWSER_API_CALLS_XHR_ONLY: "maybe" })).toThrow(
      /^BROWSER_API_CALLS_XHR_ONLY:/,
    );
  });

  it("names a malformed variable", () => {
    expect(() => settingsOfEnvironment({ PLIMSOLL_STRICT: "maybe" })).toThrow(
      "PLIMSOLL_STRICT: expected true or false",
    );
  });
});

describe("environmentName", () => {
  it.each([
    ["db", "PLIMSOLL_DB"],
    ["maxDbAgeDays", "PLIMSOLL_MAX_DB_AGE_DAYS"],
  ])("%s is %s", (setting, expected) => {
    expect(environmentName(setting)).toBe(expected);
  });
});

describe("nearestWord", () => {
  it.each([
    ["ofline", "offline"],
    ["colour", "color"],
    ["", "db"],
  ])("%j is nearest to %j", (word, expected) => {
    expect(nearestWord(word, ["db", "offline", "color"])).toBe(expected);
  });
});
