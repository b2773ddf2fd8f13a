// Small signs, drawn in the colour of the text beside them.

const kPaths: Record<string, string> = {
  Running: 'M5 3.5v9l7.5-4.5z',
  Pending: 'M8 2.75a5.25 5.25 0 1 0 0 10.5 5.25 5.25 0 0 0 0-10.5M8 5v3.25l2.25 1.25',
  Admitted: 'M3 8h9M8.75 4.5 12.25 8l-3.5 3.5',
  Finished: 'm3.25 8.5 3 3 6.5-7',
  search: 'M7 2.75a4.25 4.25 0 1 0 0 8.5 4.25 4.25 0 0 0 0-8.5M10.25 10.25l3.25 3.25',
  auto: 'M8 2.75a5.25 5.25 0 1 0 0 10.5zM8 2.75a5.25 5.25 0 0 1 0 10.5',
  light: 'M8 5.25a2.75 2.75 0 1 0 0 5.5 2.75 2.75 0 0 0 0-5.5M8 1.25v1.5M8 13.25v1.5M1.25 8h1.5' +
    'M13.25 8h1.5M3.25 3.25l1 1M11.75 11.75l1 1M12.75 3.25l-1 1M4.25 11.75l-1 1',
  dark: 'M13 9.75A5.5 5.5 0 0 1 6.25 3a5.5 5.5 0 1 0 6.75 6.75',
  open: 'm6 4 4 4-4 4',
};
const kFilled = new Set(['Running']);

export function Icon({ name }: { name: string }) {
  const filled = kFilled.has(name);
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" fill={filled ? 'currentColor' : 'none'}
      stroke={filled ? 'none' : 'currentColor'} stroke-width="1.6" stroke-linecap="round"
      stroke-linejoin="round">
      <path d={kPaths[name] ?? ''} />
    </svg>
  );
}
