// A line a test, details of what failed, and one closing line that counts them.
export default async function* report(source) {
  let passed = 0;
  let failed = 0;
  let skipped = 0;
  for await (const { type, data } of source) {
    if (type === 'test:stdout' || type === 'test:stderr') yield data.message;
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    if (data.details?.type === 'suite' || data.name.endsWith('.test.mjs')) {
      if (type === 'test:pass') continue;
      if (data.details.error?.failureType === 'subtestsFailed') continue;
    }
    const took = `${Math.round(data.details.duration_ms)} ms`;
    if (data.skip !== undefined) {
      skipped++;
      yield `  skipped ${data.name}\n`;
    } else if (type === 'test:pass') {
      passed++;
      yield `  ok      ${data.name} (${took})\n`;
    } else {
      failed++;
      const error = data.details.error?.cause ?? data.details.error;
      yield `  FAILED  ${data.name} (${took})\n${error?.stack ?? error}\n`;
    }
  }
  yield `${process.env.REPORT_OF ?? 'page'}: ${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}\n`;
}
