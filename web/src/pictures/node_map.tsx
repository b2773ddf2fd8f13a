// The map of nodes: hover for figures, click or Enter to open, arrow keys to walk.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';

import { coloursOf } from './colours';
import { type MapNode, drawMap } from './node_map_draw';
import { cellAt, cornerOf, layoutOf, neighbour } from './node_map_layout';

interface NodeMapProps {
  nodes: MapNode[];
  all: number; // nodes of all maps that are shown: their cells are of one size
  chosen: string;
  matches: ((name: string) => boolean) | null; // the others are dimmed
  theme: string;
  label: string;
  describe: (node: MapNode) => string;
  onChoose: (name: string) => void;
}

// The map fills what is left of the window below what stands above it.
const kAbove = 300;
const kLeast = 320;

function useWidth() {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => setWidth(element.clientWidth);
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  return { box, width };
}

export function NodeMap(props: NodeMapProps) {
  const { nodes, all, chosen, matches, theme } = props;
  const { box, width } = useWidth();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [hovered, setHovered] = useState(-1);
  const [focused, setFocused] = useState(-1);
  const layout = useMemo(() => layoutOf(nodes.length, width,
    Math.max(kLeast, window.innerHeight - kAbove), all), [nodes.length, all, width]);
  const colours = useMemo(() => (box.current ? coloursOf(box.current) : null), [theme, width]);
  const chosenAt = useMemo(
    () => nodes.findIndex((node) => node.name === chosen), [nodes, chosen]);

  useEffect(() => {
    if (!canvas.current || !colours || width === 0) return;
    drawMap(canvas.current, layout, nodes, colours, {
      focused,
      chosen: chosenAt,
      dimmed: matches && ((index) => !matches(nodes[index]?.name ?? '')),
    });
  }, [nodes, layout, colours, focused, chosenAt, matches]);

  const indexAt = (event: MouseEvent) => cellAt(layout, event.offsetX, event.offsetY);
  const choose = (index: number) => {
    const node = nodes[index];
    if (node) props.onChoose(node.name);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const from = focused < 0 ? 0 : focused;
    if (event.key === 'Enter' || event.key === ' ') {
      choose(from);
    } else {
      const next = neighbour(layout, from, event.key);
      if (next === null) return;
      setFocused(next);
    }
    event.preventDefault();
  };
  const shown = nodes[hovered >= 0 ? hovered : focused];
  const corner = cornerOf(layout, hovered >= 0 ? hovered : Math.max(0, focused));

  return (
    <div class="node-map" ref={box} style={{ minHeight: `${layout.height}px` }}>
      <canvas
        ref={canvas}
        tabIndex={0}
        role="application"
        aria-roledescription="map of nodes"
        aria-label={props.label}
        style={{ width: `${layout.width}px`, height: `${layout.height}px` }}
        onMouseMove={(event) => setHovered(indexAt(event))}
        onMouseLeave={() => setHovered(-1)}
        onClick={(event) => choose(indexAt(event))}
        onFocus={() => setFocused(Math.max(0, focused >= 0 ? focused : chosenAt))}
        onBlur={() => setFocused(-1)}
        onKeyDown={onKeyDown}
      />
      {shown && (
        <div class="map-tip" role="status"
          style={{
            left: `${Math.max(0, Math.min(corner.x, layout.width - 230))}px`,
            top: `${corner.y + layout.cell + 6}px`,
          }}>
          <strong>{shown.name}</strong> {props.describe(shown)}
        </div>
      )}
    </div>
  );
}
