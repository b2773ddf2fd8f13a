import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { gzipSync } from 'node:zlib';

// A C++ source that defines server::PageFiles() (src/server/page_files.h): each file gzipped.
export function writeEmbedded(path, files) {
  const arrays = [];
  const rows = [];
  files.forEach((file, index) => {
    const packed = gzipSync(file.bytes, { level: 9 });
    arrays.push(`constexpr unsigned char kBytes${index}[] = {${[...packed].join(',')}};`);
    const fixed = file.name.includes(`.${file.hash}.`);
    rows.push(
      `    {"${file.name}", "${file.type}", "\\"${file.hash}\\"", Text(kBytes${index}), ` +
        `${file.bytes.length}, ${fixed}},`,
    );
  });
  const text = `// Written by web/build.mjs.
#include "server/page_files.h"

namespace fairlead::server {
namespace {

template <std::size_t kSize>
std::string_view Text(const unsigned char (&bytes)[kSize]) {
  return {reinterpret_cast<const char*>(bytes), kSize};
}

${arrays.join('\n')}

}  // namespace

std::span<const PageFile> PageFiles() {
  static const PageFile files[] = {
${rows.join('\n')}
  };
  return files;
}

}  // namespace fairlead::server
`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
