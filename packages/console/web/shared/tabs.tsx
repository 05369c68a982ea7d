import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";
import { namedOrFirst } from "./named-or-first.ts";
import { useSearchParam } from "./search-param.ts";

interface Props<Name extends string> {
  readonly label: string;
  /** The text of each tab. The first tab is the default: its address has no `view`. */
  readonly tabs: Readonly<Partial<Record<Name, string>>>;
  readonly current: Name;
  /** The view whose parts they are; absent for views. */
  readonly of?: string;
}

/** Tabs that are links: each has an address, `?view=NAME`, or `?view=VIEW&part=NAME`. */
export function Tabs<Name extends string>({ label, tabs, current, of }: Props<Name>) {
  const [path] = useLocation();
  const [first, other] =
    of === undefined ? [path, `${path}?view=`] : [`${path}?view=${of}`, `${path}?view=${of}&part=`];
  const names = Object.keys(tabs) as Name[];
  return (
    <nav className={of === undefined ? "tabs" : "tabs parts"} aria-label={label}>
      {names.map((name, index) => (
        <Link
          key={name}
          href={index === 0 ? first : `${other}${name}`}
          aria-current={name === current ? "page" : undefined}
        >
          {tabs[name]}
        </Link>
      ))}
    </nav>
  );
}

/** A part of a view. */
interface Part {
  readonly title: string;
  readonly show: () => ReactNode;
}

interface PartsProps {
  readonly label: string;
  /** By the name that the address has; the first is shown where it has none. An undefined part is not shown. */
  readonly parts: Readonly<Record<string, Part | undefined>>;
}

/** The parts of a view, one at a time: each has an address, and asks for what it shows only when it is shown. */
export function Parts({ label, parts: given }: PartsProps) {
  const [view] = useSearchParam("view");
  const [part] = useSearchParam("part");
  const parts = Object.fromEntries(Object.entries(given).filter(([, { title } = {}]) => title !== undefined));
  const current = namedOrFirst(parts, part);
  const titles = Object.fromEntries(Object.entries(parts).map(([name, shown]) => [name, shown?.title]));
  return (
    <>
      {Object.keys(parts).length > 1 && <Tabs label={label} tabs={titles} current={current} of={view} />}
      {parts[current]?.show()}
    </>
  );
}
