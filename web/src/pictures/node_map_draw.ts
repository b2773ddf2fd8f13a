// Draws the node map: a cell a node, coloured and, where there is room, filled by how much is used.
import type { Colours } from './colours';
import { type Layout, cornerOf } from './node_map_layout';

export interface MapNode {
  name: string;
  used: number;
  whole: number;
  state: string;
  figures: string; // "7/8", for large cells
  shares?: [colour: string, amount: number][]; // who holds it, where that is coloured; largest first
}

// Steps of use: none of this resource, none used, then by quarters; full is a step of its own.
export const kSteps = ['none here', 'unused', 'up to 25%', '26–50%', '51–75%', '76–99%', 'full'];

export function stepOf({ used, whole }: { used: number; whole: number }): number {
  if (whole <= 0) return 0;
  if (used <= 0) return 1;
  if (used >= whole) return 6;
  return 2 + Math.min(3, Math.ceil((4 * used) / whole) - 1);
}

const kNamed = 40; // from this size on a cell says its name
const kFilled = 18;

interface Marks {
  focused: number;
  chosen: number;
  dimmed: ((index: number) => boolean) | null;
}

function hatch(context: CanvasRenderingContext2D, x: number, y: number, size: number) {
  context.beginPath();
  const step = Math.max(4, size / 5);
  for (let d = step; d < 2 * size; d += step) {
    context.moveTo(x + Math.max(0, d - size), y + Math.min(d, size));
    context.lineTo(x + Math.min(d, size), y + Math.max(0, d - size));
  }
  context.stroke();
}

function drawWords(context: CanvasRenderingContext2D, node: MapNode, x: number, y: number,
                   size: number, colours: Colours) {
  const full = !node.shares && node.whole > 0 && node.used / node.whole > 0.5;
  context.fillStyle = colours(full ? `use-${stepOf(node)}-text` : 'text');
  context.font = '11px system-ui, sans-serif';
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  let name = node.name;
  while (name.length > 3 && context.measureText(name).width > size - 6) name = name.slice(1);
  context.fillText(name === node.name ? name : `…${name.slice(1)}`, x + size / 2, y + size / 2 - 7);
  context.font = '600 12px system-ui, sans-serif';
  context.fillText(node.figures, x + size / 2, y + size / 2 + 8);
}

// One colour over another, by how much each holds; where there is no room for that the largest.
function drawShares(context: CanvasRenderingContext2D, node: MapNode, x: number, y: number,
                    size: number, colours: Colours) {
  context.fillStyle = colours(node.whole > 0 ? 'use-1' : 'use-0');
  context.fillRect(x, y, size, size);
  const [first] = node.shares ?? [];
  if (size < kFilled && first) {
    context.fillStyle = colours(first[0]);
    context.fillRect(x, y, size, size);
    return;
  }
  let used = 0;
  let below = size;
  for (const [colour, amount] of node.shares ?? []) {
    used += amount;
    const top = size - Math.round((size * Math.min(used, node.whole)) / Math.max(1, node.whole));
    context.fillStyle = colours(colour);
    context.fillRect(x, y + top, size, below - top);
    below = top;
  }
}

function drawUse(context: CanvasRenderingContext2D, node: MapNode, x: number, y: number,
                 size: number, colours: Colours) {
  const step = stepOf(node);
  const filled = size >= kFilled && step > 1;
  context.fillStyle = colours(filled ? 'use-1' : `use-${step}`);
  context.fillRect(x, y, size, size);
  if (!filled) return;
  const height = Math.max(2, Math.round((size * Math.min(node.used, node.whole)) / node.whole));
  context.fillStyle = colours(`use-${step}`);
  context.fillRect(x, y + size - height, size, height);
}

function drawCell(context: CanvasRenderingContext2D, node: MapNode, x: number, y: number,
                  size: number, colours: Colours) {
  if (node.shares) drawShares(context, node, x, y, size, colours);
  else drawUse(context, node, x, y, size, colours);
  if (node.state !== 'Ready') {
    context.strokeStyle = colours(node.state === 'NotReady' ? 'bad' : 'muted');
    context.lineWidth = size >= kFilled ? 2 : 1.25;
    if (size >= kNamed) context.globalAlpha *= 0.35; // what is written there is to be read
    hatch(context, x, y, size);
    if (size >= kNamed) context.globalAlpha /= 0.35;
  }
  if (size >= kNamed) drawWords(context, node, x, y, size, colours);
}

export function drawMap(canvas: HTMLCanvasElement, layout: Layout, nodes: MapNode[],
                        colours: Colours, marks: Marks) {
  const context = canvas.getContext('2d');
  if (!context) return;
  const ratio = window.devicePixelRatio || 1;
  const width = Math.round(layout.width * ratio);
  const height = Math.round(layout.height * ratio);
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, layout.width, layout.height);
  nodes.forEach((node, index) => {
    const { x, y } = cornerOf(layout, index);
    context.globalAlpha = marks.dimmed?.(index) ? 0.18 : 1;
    drawCell(context, node, x, y, layout.cell, colours);
  });
  context.globalAlpha = 1;
  const outline = (index: number, colour: string, width: number) => {
    if (index < 0 || index >= nodes.length) return;
    const { x, y } = cornerOf(layout, index);
    context.strokeStyle = colours(colour);
    context.lineWidth = width;
    context.strokeRect(x - 0.5, y - 0.5, layout.cell + 1, layout.cell + 1);
  };
  outline(marks.chosen, 'text', 2.5);
  outline(marks.focused, 'focus', 2.5);
}
