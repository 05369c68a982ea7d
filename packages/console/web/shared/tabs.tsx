import { Link, useLocation } from "wouter";

interface Props<Name extends string> {
  readonly label: string;
  /** The text of each tab. The first tab is the default: its address has no `view`. */
  readonly tabs: Readonly<Partial<Record<Name, string>>>;
  readonly current: Name;
}

/** Tabs that are links: each has an address, `?view=NAME`. */
export function Tabs<Name extends string>({ label, tabs, current }: Props<Name>) {
  const [path] = useLocation();
  const names = Object.keys(tabs) as Name[];
  return (
    <nav className="tabs" aria-label={label}>
      {names.map((name, index) => (
        <Link
          key={name}
          href={index === 0 ? path : `${path}?view=${name}`}
          aria-current={name === current ? "page" : undefined}
        >
          {tabs[name]}
        </Link>
      ))}
    </nav>
  );
}
