// Colours for canvases, which know no CSS: read from the style sheet, for the theme that is on.

export type Colours = (name: string) => string;

export function coloursOf(element: HTMLElement): Colours {
  const probe = document.createElement('span');
  probe.hidden = true;
  element.append(probe);
  const known = new Map<string, string>();
  const style = getComputedStyle(probe);
  return (name) => {
    let colour = known.get(name);
    if (colour === undefined) {
      probe.style.color = `var(--${name})`;
      colour = style.color;
      known.set(name, colour);
    }
    return colour;
  };
}
