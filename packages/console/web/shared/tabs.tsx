import { Link, useLocation } from "wouter";

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
