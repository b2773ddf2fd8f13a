// What the page must print for amounts, worked out anew from the REST API's integers.

const grouped = (value, digits) =>
  value.toLocaleString('en-US', { maximumFractionDigits: digits });

export const count = (value) => grouped(value, 0);

export function number(value) {
  if (Math.abs(value) >= 1000) return grouped(value, 0);
  return grouped(value, Math.abs(value) >= 10 ? 1 : 2);
}

// GPUs and cores: thousandths.
export const units = (milli) => number(milli / 1000);

export const kGpu = 'nvidia.com/gpu';
export const kGiB = 1024 ** 3;
