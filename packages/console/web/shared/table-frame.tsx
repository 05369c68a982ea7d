import { type ReactNode, useEffect, useRef, useState } from "react";

/** Where a table is. One that is wider scrolls in it, and is then reached by the keyboard. */
export function TableFrame({ children }: { readonly children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  const [isWide, setWide] = useState(false);
  useEffect(() => {
    const frame = place.current;
    if (frame === null) return;
    const observer = new ResizeObserver(() => setWide(frame.scrollWidth > frame.clientWidth));
    for (const each of [frame, ...frame.children]) observer.observe(each);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={place} className="table" tabIndex={isWide ? 0 : undefined}>
      {children}
    </div>
  );
}
