import { describe, expect, it } from "vitest";
import { createBrowserSessions } from "./sessions.ts";

const sessions = createBrowserSessions(new Uint8Array(32));
const now = Date.UTC(2026, 10, 21, 12);

/** The same text with another letter in that place. */
function changed(text: string, index: number): string {
  return `${text.slice(0, index)}${text[index] === "A" ? "B" : "A"}${text.slice(index + 1)}`;
}

describe("createBrowserSessions", () => {
  it("finds a session by its cookie for an hour, at every node", () => {
    const { cookie, csrfToken, lifetimeSeconds } = sessions.begin(now);
    const otherNode = createBrowserSessions(new Uint8Array(32));

    expect(cookie).toMatch(/^[A-Z0-9]{48}$/);
    expect(lifetimeSeconds).toBe(3600);
    expect(sessions.find(cookie, now)).toEqual({ csrfToken, beganAt: now });
    expect(otherNode.find(cookie, now + 3_599_999)).toEqual({ csrfToken, beganAt: now });
    expect(sessions.find(cookie, now + 3_600_000)).toBeUndefined();
  });

  it("begins no session twice, nor gives two of them one CSRF token", () => {
    const begun = Array.from({ length: 100 }, () => sessions.begin(now));

    expect(new Set(begun.map(({ cookie }) => cookie)).size).toBe(100);
    expect(new Set(begun.map(({ csrfToken }) => csrfToken)).size).toBe(100);
  });

  it.each([
    { what: "a later beginning", forge: (cookie: string) => changed(cookie, 3) },
    { what: "something else at random", forge: (cookie: string) => changed(cookie, 20) },
    { what: "another signature", forge: (cookie: string) => changed(cookie, 47) },
    { what: "a part missing", forge: (cookie: string) => cookie.slice(1) },
    { what: "something more", forge: (cookie: string) => `0${cookie}` },
    { what: "nothing in it", forge: () => "" },
  ])("finds none by a cookie with $what", ({ forge }) => {
    expect(sessions.find(forge(sessions.begin(now).cookie), now)).toBeUndefined();
  });

  it("finds none that began under another key", () => {
    const { cookie } = createBrowserSessions(new Uint8Array(32).fill(1)).begin(now);

    expect(sessions.find(cookie, now)).toBeUndefined();
  });

  describe("of an account", () => {
    const account = { id: "0d6ff04e-7a44-4b5e-9d51-0a1f3c0c8f11", credential_version: 7 };

    it("are found with it, as long as they last", () => {
      const { cookie, csrfToken, lifetimeSeconds } = sessions.beginFor(account, now, 600);

      expect(lifetimeSeconds).toBe(600);
      expect(cookie).toMatch(/^[\w.-]+$/);
      expect(sessions.find(cookie, now + 599_999)).toEqual({ csrfToken, beganAt: now, account });
      expect(sessions.find(cookie, now + 600_000)).toBeUndefined();
      expect(sessions.beginFor(account, now, 86_400).lifetimeSeconds).toBe(3600);
    });

    it("are not found once anything of them is changed", () => {
      const { cookie } = sessions.beginFor(account, now, 600);
      const forged = Array.from(cookie, (_, index) => changed(cookie, index)).filter((text) => text !== cookie);
      const visitor = sessions.begin(now).cookie;
      const grafted = `${visitor.slice(0, 24)}.${account.id}.7.600.${visitor.slice(24)}`;

      for (const text of [...forged, grafted, cookie.replace(".7.", ".8.")]) {
        expect(sessions.find(text, now), text).toBeUndefined();
      }
    });
  });
});
