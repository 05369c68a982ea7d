import { Dialog } from "@base-ui/react/dialog";
import { keepPreviousData } from "@tanstack/react-query";
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useState } from "react";
import { useLocation } from "wouter";
import { useCurrentUser } from "../api/current-user.ts";
import type { ResultOf } from "../api/operation.ts";
import { useOperation } from "../api/use-operation.ts";
import {
  isVulnerabilityId,
  namespacePath,
  type Place,
  placeOf,
  repositoryPath,
  searchPath,
  vulnerabilityPath,
} from "../places.ts";
import { nameOf, pathOf } from "../search/found-names.ts";
import { useSignOut } from "../shell/user-menu.tsx";
import { texts } from "../texts/texts.ts";

const words = texts.palette;

interface Props {
  /** Text that was typed before the field had the focus. */
  readonly typed: { current: string };
  readonly onClose: () => void;
}

/**
 * The command palette: a field that opens places, repositories and actions. Arrow keys choose, Enter opens, as soon as the results for what
 * was typed are there, and Escape closes.
 */
export function Palette({ typed, onClose }: Props) {
  const [text, setText] = useState(typed.current);
  const [chosen, setChosen] = useState(0);
  const listId = useId();
  const deferred = useDeferredValue(text);
  const { entries, isAwaited: isFoundAwaited } = useEntries(deferred);
  const open = useOpener(onClose);
  const current = Math.min(chosen, entries.length - 1);
  const entry = entries[current];
  // results of the registry come after the other entries, which they do not move
  const isAwaited = deferred !== text || (isFoundAwaited && (entry === undefined || entry.group === "found"));
  const [isEntered, setEntered] = useState(false);
  const applyEarlyText = () => {
    const all = typed.current;
    typed.current = "";
    setText((shown) => (all.startsWith(shown) ? all : shown));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setChosen((current + step + entries.length) % entries.length);
      setEntered(false);
    }
    if (event.key === "Enter") {
      event.preventDefault();
      setEntered(true);
    }
  };
  useEffect(() => {
    if (!isEntered || isAwaited) return;
    setEntered(false);
    if (entry !== undefined) open(entry);
  });
  useEffect(() => {
    document.getElementById(optionId(listId, current))?.scrollIntoView({ block: "nearest" });
  });
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog palette">
          <Dialog.Title className="unseen">{words.title}</Dialog.Title>
          <input
            type="text"
            role="combobox"
            aria-expanded="true"
            aria-controls={listId}
            aria-activedescendant={optionId(listId, current)}
            aria-label={words.input}
            placeholder={words.input}
            autoComplete="off"
            maxLength={255}
            value={text}
            onFocus={applyEarlyText}
            onChange={({ target }) => {
              setText(target.value);
              setChosen(0);
              setEntered(false);
            }}
            onKeyDown={onKeyDown}
          />
          <EntryList id={listId} entries={entries} current={current} onOpen={open} />
          <p className="unseen" role="status">
            {words.counted(entries.length)}
          </p>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface MatchingEntries {
  readonly entries: readonly Entry[];
  /** Whether those that the registry finds are not there yet. */
  readonly isAwaited: boolean;
}

/** The entries that match a text. */
function useEntries(text: string): MatchingEntries {
  const [path] = useLocation();
  const user = useCurrentUser().data;
  const options = { enabled: text.trim() !== "", placeholderData: keepPreviousData };
  const { data, isPending, isPlaceholderData } = useOperation(
    "GET /find/all",
    { query: { query: text.trim() } },
    options,
  );
  const found = text.trim() === "" ? [] : (data?.results ?? []);
  const isAwaited = options.enabled && (isPending || isPlaceholderData);
  const context = { text, place: placeOf(path), path, found };
  if (!user) return { entries: entriesOf(context), isAwaited };
  const organizations = (user.organizations ?? []).map(({ name }) => name);
  const isSuperuser = Boolean(user.super_user || user.global_readonly_super_user);
  const entries = entriesOf({ ...context, user: { username: user.username, isSuperuser, organizations } });
  return { entries, isAwaited };
}

function useOpener(onClose: () => void): (entry: Entry) => void {
  const [path, navigate] = useLocation();
  const signOut = useSignOut();
  return ({ leads }) => {
    onClose();
    if (leads === "sign-out") signOut.mutate();
    else if (leads === "sign-in") window.location.assign(`/signin?${new URLSearchParams({ next: path })}`);
    else navigate(leads.to);
  };
}

interface EntryListProps {
  readonly id: string;
  readonly entries: readonly Entry[];
  /** The index of the entry that Enter opens. */
  readonly current: number;
  readonly onOpen: (entry: Entry) => void;
}

/** The entries of the palette, each with its group. The focus stays in the field, which refers to the current entry. */
function EntryList({ id, entries, current, onOpen }: EntryListProps) {
  return (
    <div id={id} role="listbox" aria-label={texts.palette.title} className="entries">
      {entries.map((entry, place) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
        <div
          key={entry.key}
          id={optionId(id, place)}
          role="option"
          aria-selected={place === current}
          className="entry"
          onClick={() => onOpen(entry)}
        >
          {entry.text} <small>{texts.palette.groups[entry.group]}</small>
        </div>
      ))}
    </div>
  );
}

/** The id of an entry in the page. */
function optionId(list: string, place: number): string {
  return `${list}-${place}`;
}

/** An entry of the palette. */
export interface Entry {
  /** Unique among the entries. */
  readonly key: string;
  readonly group: keyof typeof words.groups;
  readonly text: string;
  /** An address of the console, or the action that signs in or out. */
  readonly leads: { readonly to: string } | "sign-out" | "sign-in";
}

/** The input of {@link entriesOf}. */
export interface PaletteContext {
  /** What was typed. */
  readonly text: string;
  /** Absent for anonymous visitors. */
  readonly user?: PaletteUser | undefined;
  /** The page that is open, and its path. */
  readonly place: Place;
  readonly path: string;
  /** The results of the registry's search for the text. */
  readonly found: ResultOf<"GET /find/all">["results"];
}

interface PaletteUser {
  readonly username: string;
  readonly isSuperuser: boolean;
  readonly organizations: readonly string[];
}

/** The entries that contain every typed word, ignoring case; then the results of the registry, and last a link to the search page. */
export function entriesOf(context: PaletteContext): readonly Entry[] {
  const text = context.text.trim();
  const parts = text.toLowerCase().split(/\s+/);
  const fixed = [...here(context), ...places(context), ...actions(context)];
  const matching = fixed.filter((entry) => parts.every((part) => entry.text.toLowerCase().includes(part)));
  if (text === "") return matching;
  const vulnerability = isVulnerabilityId(text)
    ? [go("found", texts.vulnerability.look(text.toUpperCase()), vulnerabilityPath(text))]
    : [];
  const found = context.found.map((result) => go("found", nameOf(result), pathOf(result)));
  return [...matching, ...vulnerability, ...found, go("found", words.search(text), searchPath(text))];
}

function go(group: Entry["group"], text: string, to: string): Entry {
  return { key: `${group} ${text} ${to}`, group, text, leads: { to } };
}

/** The views of the repository or image that is open. */
function here({ place, path }: PaletteContext): readonly Entry[] {
  if (place.kind === "image") {
    const own = (["packages", "layers", "compare"] as const).map((view) =>
      go("here", words[view], `${path}?view=${view}`),
    );
    return [...own, go("here", words.tags, repositoryPath(place.namespace, place.repository))];
  }
  if (place.kind !== "repository") return [];
  return (["history", "suppressed"] as const).map((view) => go("here", words[view], `${path}?view=${view}`));
}

function places({ user }: PaletteContext): readonly Entry[] {
  const own = user === undefined ? [] : [user.username, ...user.organizations];
  return [
    go("places", texts.shell.home, "/"),
    ...own.flatMap((name) => [
      go("places", name, namespacePath(name)),
      ...(["security", "robots", "logs"] as const).map((view) =>
        go("places", namesOfViews[view](name), `${namespacePath(name)}?view=${view}`),
      ),
    ]),
    ...(user === undefined ? [] : [go("places", words.account, "/account")]),
    go("places", words.explorer, "/explorer"),
    ...(user?.isSuperuser ? [go("places", words.admin, "/admin")] : []),
  ];
}

const namesOfViews = { security: words.securityOf, robots: words.robotsOf, logs: words.logOf };

function actions({ user }: PaletteContext): readonly Entry[] {
  if (user === undefined) return [{ key: "sign-in", group: "actions", text: words.signIn, leads: "sign-in" }];
  return [
    go("actions", words.newToken, "/account"),
    go("actions", words.newOrganization, "/account"),
    { key: "sign-out", group: "actions", text: words.signOut, leads: "sign-out" },
  ];
}
