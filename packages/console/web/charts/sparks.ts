/** A bar of a sparkline, in pixels. */
interface Spark {
  /** The index of the day, from 0. */
  readonly day: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The height of the lowest visible bar, in pixels. */
const minHeight = 2;

/** The bars of counts that are not zero, the largest as high as the drawing. */
export function sparks(
  counts: readonly number[],
  { width, height }: { readonly width: number; readonly height: number },
): readonly Spark[] {
  const most = Math.max(...counts);
  const step = width / counts.length;
  return counts.flatMap((count, day) => {
    if (count === 0) return [];
    const tall = Math.max(minHeight, Math.round((count / most) * height));
    return [{ day, x: day * step, y: height - tall, width: step - 1, height: tall }];
  });
}
