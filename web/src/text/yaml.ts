// Objects as YAML, as people write them.

// What would be read as something else, or not at all, is quoted.
const kPlain = /^[A-Za-z_/.][A-Za-z0-9_./:@+-]*$/;
const kWords = /^(true|false|null|yes|no|on|off|y|n|~)$/i;

function scalar(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  const plain = kPlain.test(value) && !kWords.test(value) && !value.endsWith(':')
    && !/^\.\d/.test(value);
  return plain ? value : JSON.stringify(value);
}

const isEmpty = (value: object) => Object.keys(value).length === 0;
const isNested = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !isEmpty(value);

function lines(value: object, indent: string): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item) => {
      if (!isNested(item)) return [`${indent}- ${scalar(item)}`];
      const [first = '', ...rest] = lines(item, `${indent}  `);
      return [`${indent}- ${first.slice(indent.length + 2)}`, ...rest];
    });
  }
  return Object.entries(value).flatMap(([key, item]) => {
    if (!isNested(item)) return [`${indent}${scalar(key)}: ${scalar(item)}`];
    const inner = Array.isArray(item) ? indent : `${indent}  `;
    return [`${indent}${scalar(key)}:`, ...lines(item, inner)];
  });
}

export const yaml = (document: object) => `${lines(document, '').join('\n')}\n`;
