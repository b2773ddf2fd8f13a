// One queue and one resource as a bar:
//
//   ██████████▒▒▒▒▒▒┄┄┄┄┄┄┄┄┄┄     █ allocated within the guarantee, ▒ borrowed, ┄ asked for
//             │     ◆         ]     │ guaranteed, ◆ fair share, ] limit
//
// Each part has a form of its own, so that the bar can be read without colours.

export interface QueueFigures {
  guaranteed: number;
  limit: number | null;
  requested: number;
  allocated: number;
  fairShare: number | null;
}

export const borrowedOf = (figures: QueueFigures) =>
  Math.max(0, figures.allocated - figures.guaranteed);

// What has to fit on the scale.
export const extentOf = ({ guaranteed, limit, requested, allocated, fairShare }: QueueFigures) =>
  Math.max(guaranteed, limit ?? 0, requested, allocated, fairShare ?? 0);

interface QueueBarProps {
  figures: QueueFigures;
  whole: number; // what the full width stands for
}

export function QueueBar({ figures, whole }: QueueBarProps) {
  const at = (value: number) =>
    `${whole > 0 ? Math.min(100, Math.max(0, (100 * value) / whole)) : 0}%`;
  const { guaranteed, limit, requested, allocated, fairShare } = figures;
  const within = Math.min(allocated, guaranteed);
  const borrowed = borrowedOf(figures);
  return (
    <div class="queue-bar" aria-hidden="true">
      <div class="bar-track">
        {requested > allocated && (
          <div class="bar-asked" style={{ left: at(allocated), width: at(requested - allocated) }} />
        )}
        <div class="bar-own" style={{ width: at(within) }} />
        {borrowed > 0 && (
          <div class="bar-borrowed" style={{ left: at(within), width: at(borrowed) }} />
        )}
      </div>
      {guaranteed > 0 && <div class="mark-guaranteed" style={{ left: at(guaranteed) }} />}
      {limit !== null && limit <= whole && <div class="mark-limit" style={{ left: at(limit) }} />}
      {fairShare !== null && fairShare > 0 && (
        <div class="mark-fair" style={{ left: at(fairShare) }} />
      )}
    </div>
  );
}

// What the parts of the bars mean.
export function QueueBarLegend() {
  return (
    <ul class="legend">
      <li><i class="key key-own" />allocated</li>
      <li><i class="key key-borrowed" />borrowed</li>
      <li><i class="key key-asked" />asked for, not there</li>
      <li><i class="key key-guaranteed" />guaranteed</li>
      <li><i class="key key-fair" />fair share</li>
      <li><i class="key key-limit" />limit</li>
    </ul>
  );
}
