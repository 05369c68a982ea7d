import { readdirSync, readFileSync } from "node:fs";
import { findCorpus } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { parseJson } from "../model/json.ts";
import type { Json } from "../model/json-value.ts";
import { checkIndexReport } from "./fixtures/contract.ts";
import { parseIndexReportJson, toIndexReportJson } from "./index-report.ts";

const corpus = findCorpus();
const folder = `${corpus}/data/expected/clair-index-reports`;
const names = corpus === undefined ? [] : readdirSync(folder);

/** Without members that are null or empty, kinds in upper case: what two writers of the same report agree on. */
function essential(value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) return value.map((each: Json) => essential(each) ?? null);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [
    name,
    essential(name === "kind" ? upper(member) : member),
  ]);
  return Object.fromEntries(members.filter(([name, member]) => !isEmpty(member) && !isNameless(name, member)));
}

const upper = (value: Json | undefined): Json | undefined => (typeof value === "string" ? value.toUpperCase() : value);
const isEmpty = (value: unknown): boolean => value === null || value === "" || JSON.stringify(value) === "[]";
const isNameless = (name: unknown, member: unknown): boolean =>
  name === "source" && typeof member === "object" && member !== null && !("name" in member);

describe.skipIf(corpus === undefined)("parseIndexReportJson", () => {
  it.each(names)("reads %s and loses nothing", (name) => {
    const json = parseJson(readFileSync(`${folder}/${name}`), name);
    const again: Json = JSON.parse(JSON.stringify(toIndexReportJson(parseIndexReportJson(json))));

    expect(checkIndexReport(again, "index_report")).toEqual([]);
    expect(essential(again)).toEqual(essential(json));
  });
});
