import type { OutgoingHttpHeader, OutgoingHttpHeaders } from "node:http";
import type { Headers } from "./documents/document-operation.ts";

/** Headers in the form that Node writes fastest: lower-case names and values in turn. */
export type HeaderList = OutgoingHttpHeader[];

/** Adds headers whose names the list does not have yet. @returns the list */
export function addHeaders(list: HeaderList, headers: Headers | OutgoingHttpHeaders | undefined): HeaderList {
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && !hasHeader(list, name)) list.push(name, value as OutgoingHttpHeader);
  }
  return list;
}

function hasHeader(list: HeaderList, name: string): boolean {
  for (let index = 0; index < list.length; index += 2) if (list[index] === name) return true;
  return false;
}
