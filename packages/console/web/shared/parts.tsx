import type { ReactNode } from "react";
import { namedOrFirst } from "./named-or-first.ts";
import { useSearchParam } from "./search-param.ts";
import { Tabs } from "./tabs.tsx";

/** A part of a view. */
export interface Part {
  readonly title: string;
  readonly show: () => ReactNode;
}

interface Props {
  readonly label: string;
  /** By the name that the address has; the first is shown where it has none. An undefined part is not shown. */
  readonly parts: Readonly<Record<string, Part | undefined>>;
}

/** The parts of a view, one at a time: each has an address, and asks for what it shows only when it is shown. */
export function Parts({ label, parts: given }: Props) {
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
