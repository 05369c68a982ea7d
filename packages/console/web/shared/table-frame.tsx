import { type ReactNode, useEffect, useRef, useState } from "react";

/** The frame of a table. A wider table scrolls in it, and the frame is then reachable by keyboard. */
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
