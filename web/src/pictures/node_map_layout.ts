// Where the cells of the node map are: rows of squares, as large as the room allows.

export interface Layout {
  count: number;
  cell: number; // side of a square
  gap: number;
  columns: number;
  width: number;
  height: number;
}

const kLargest = 76;
const kSmallest = 7;

// `all`: nodes that share the room, of which these are `count`.
export function layoutOf(count: number, width: number, roomBelow: number, all = count): Layout {
  const room = Math.max(1, width) * roomBelow;
  let pitch = Math.floor(Math.sqrt(room / Math.max(1, all)));
  pitch = Math.min(kLargest, Math.max(kSmallest, pitch));
  const columns = Math.max(1, Math.floor(width / pitch));
  const gap = pitch >= 30 ? 4 : pitch >= 14 ? 2 : 1;
  return {
    count,
    cell: pitch - gap,
    gap,
    columns,
    width,
    height: Math.ceil(count / columns) * pitch,
  };
}

export const cornerOf = ({ cell, gap, columns }: Layout, index: number) => ({
  x: (index % columns) * (cell + gap),
  y: Math.floor(index / columns) * (cell + gap),
});

// The cell at a point, or -1.
export function cellAt(layout: Layout, x: number, y: number): number {
  const pitch = layout.cell + layout.gap;
  const column = Math.floor(x / pitch);
  if (column < 0 || column >= layout.columns || y < 0) return -1;
  const index = Math.floor(y / pitch) * layout.columns + column;
  return index < layout.count ? index : -1;
}

// Where an arrow key leads from a cell.
export function neighbour(layout: Layout, index: number, key: string): number | null {
  const steps: Record<string, number> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -layout.columns,
    ArrowDown: layout.columns,
    Home: -index,
    End: layout.count - 1 - index,
    PageUp: -layout.columns * 10,
    PageDown: layout.columns * 10,
  };
  const step = steps[key];
  if (step === undefined) return null;
  const next = index + step;
  if (next < 0) return step === -1 ? index : index % layout.columns;
  return next >= layout.count ? layout.count - 1 : next;
}
