import { describe, expect, it } from "vitest";
import { withoutCredentials } from "./without-credentials.ts";

describe("withoutCredentials", () => {
  it.each([
    ["postgres://me:sesame@db.example/p?password=sesame", "postgres://db.example/p"],
    ["https://sesame@h/p", "https://h/p"],
    ["https://u:ses@me@h:1/p", "https://h:1/p"],
    ["https://u:sesa/me@h", "https://h"],
    ["https://u:sesa?me@h/p", "https://h/p"],
    ["https://u:sesa#me@h/p", "https://h/p"],
    ["https://h/p#sesame", "https://h/p"],
    ["amqp://a:sesame@one, amqp://b:sesame@two", "amqp://one, amqp://two"],
    ["http://a:sesame@one,http://b:sesame@two?sesame", "http://one,http://two"],
    ['cannot fetch "https://u:sesame@h/?sesame": ECONNREFUSED', 'cannot fetch "https://h/": ECONNREFUSED'],
    ["(see https://h/?sesame).", "(see https://h/)."],
    ['{"a":"https://u:sesame@h","b":"https://v:sesame@k"}', '{"a":"https://k"}'],
    ["git+ssh://git:sesame@h/x.git", "git+ssh://h/x.git"],
  ])("%s", (text, bare) => {
    expect(withoutCredentials(text)).toBe(bare);
  });

  it.each([
    "sqlite:/var/lib/plimsoll.db",
    "admin@example.com",
    "pkg:npm/%40scope/name@1.2.3?arch=x86",
    "https://deno.example/x/mod@v1/mod.ts",
    "https://127.0.0.1:5000/a/b@sha256:abc",
    "docker://example.com/a@sha512:abc",
    "",
  ])("leaves %j", (text) => {
    expect(withoutCredentials(text)).toBe(text);
  });
});
