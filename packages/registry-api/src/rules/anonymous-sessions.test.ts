import { describe, expect, it } from "vitest";
import { createAnonymousSessions } from "./anonymous-sessions.ts";

const sessions = createAnonymousSessions(new Uint8Array(32));
const now = Date.UTC(2026, 10, 21, 12);

/** The same text with another letter in that place. */
function changed(text: string, index: number): string {
  return `${text.slice(0, index)}${text[index] === "A" ? "B" : "A"}${text.slice(index + 1)}`;
}

describe("createAnonymousSessions", () => {
  it("finds a session by its cookie for an hour, at every node", () => {
    const { cookie, csrfToken, lifetimeSeconds } = sessions.begin(now);
    const otherNode = createAnonymousSessions(new Uint8Array(32));

    expect(cookie).toMatch(/^[A-Z0-9]{48}$/);
    expect(lifetimeSeconds).toBe(3600);
    expect(sessions.find(cookie, now)).toEqual({ csrfToken });
    expect(otherNode.find(cookie, now + 3_599_999)).toEqual({ csrfToken });
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
    const { cookie } = createAnonymousSessions(new Uint8Array(32).fill(1)).begin(now);

    expect(sessions.find(cookie, now)).toBeUndefined();
  });
});
