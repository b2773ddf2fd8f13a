#!/usr/bin/env python3
"""Makes an OCI image of one layer, as one tar file, of a directory; the same bytes of the same files.

  scripts/oci_image.py TREE IMAGE.tar --version V --architecture amd64 --created SECONDS

The layout is that of the OCI image specification 1.0; manifest.json beside it is for `docker load`
of before Docker 25.
"""

import argparse
import datetime
import gzip
import hashlib
import io
import json
import os
import tarfile

USER = 65532
OWNED_BY_USER = ("var/lib/fairlead",)
ANYBODY_WRITES = ("tmp",)
LAYER = "application/vnd.oci.image.layer.v1.tar+gzip"
CONFIG = "application/vnd.oci.image.config.v1+json"
MANIFEST = "application/vnd.oci.image.manifest.v1+json"
INDEX = "application/vnd.oci.image.index.v1+json"


def add_tree(archive, tree, created):
    names = []
    for folder, folders, files in os.walk(tree):
        names += [os.path.relpath(os.path.join(folder, name), tree) for name in folders + files]
    for name in sorted(names):
        entry = archive.gettarinfo(os.path.join(tree, name), name)
        entry.mtime = created
        entry.uid = entry.gid = USER if name in OWNED_BY_USER else 0
        entry.uname = entry.gname = ""
        if entry.isdir():
            entry.mode = 0o1777 if name in ANYBODY_WRITES else 0o755
        elif entry.isreg():
            entry.mode = 0o755 if entry.mode & 0o100 else 0o644
        with open(os.path.join(tree, name), "rb") if entry.isreg() else io.BytesIO() as content:
            archive.addfile(entry, content)


def layer_of(tree, created):
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.GNU_FORMAT) as archive:
        add_tree(archive, tree, created)
    return raw.getvalue()


def config_of(layer, options):
    at = datetime.datetime.fromtimestamp(options.created, datetime.timezone.utc)
    return {
        "architecture": options.architecture,
        "os": "linux",
        "created": at.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "config": {
            "User": f"{USER}:{USER}",
            "Env": ["PATH=/usr/bin", "HOME=/var/lib/fairlead"],
            "Entrypoint": ["/usr/bin/fairlead"],
            "WorkingDir": "/var/lib/fairlead",
            "ExposedPorts": {"8485/tcp": {}},
            "Labels": {
                "org.opencontainers.image.title": "fairlead",
                "org.opencontainers.image.description": "a batch scheduler for Kubernetes",
                "org.opencontainers.image.version": options.version,
                "org.opencontainers.image.licenses": "Apache-2.0",
            },
        },
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{hashlib.sha256(layer).hexdigest()}"]},
        "history": [{"created_by": "scripts/image.sh"}],
    }


def to_json(value):
    return json.dumps(value, separators=(",", ":"), sort_keys=True).encode()


class Layout:
    """The files of the image, blobs by their digests."""

    def __init__(self):
        self.files = {"oci-layout": to_json({"imageLayoutVersion": "1.0.0"})}

    def add_blob(self, media_type, content):
        digest = hashlib.sha256(content).hexdigest()
        self.files[f"blobs/sha256/{digest}"] = content
        return {"mediaType": media_type, "digest": f"sha256:{digest}", "size": len(content)}

    def write(self, path, created):
        with tarfile.open(path, mode="w", format=tarfile.GNU_FORMAT) as archive:
            for name, content in sorted(self.files.items()):
                entry = tarfile.TarInfo(name)
                entry.size, entry.mtime = len(content), created
                archive.addfile(entry, io.BytesIO(content))


def blob_path(descriptor):
    return "blobs/" + descriptor["digest"].replace(":", "/")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("tree")
    parser.add_argument("image")
    parser.add_argument("--version", required=True)
    parser.add_argument("--architecture", required=True)
    parser.add_argument("--created", type=int, required=True)
    options = parser.parse_args()

    raw_layer = layer_of(options.tree, options.created)
    layout = Layout()
    layer = layout.add_blob(LAYER, gzip.compress(raw_layer, 6, mtime=0))
    config = layout.add_blob(CONFIG, to_json(config_of(raw_layer, options)))
    manifest = layout.add_blob(
        MANIFEST,
        to_json({"schemaVersion": 2, "mediaType": MANIFEST, "config": config, "layers": [layer]}),
    )
    manifest["annotations"] = {"org.opencontainers.image.ref.name": options.version}
    index = {"schemaVersion": 2, "mediaType": INDEX, "manifests": [manifest]}
    layout.files["index.json"] = to_json(index)
    layout.files["manifest.json"] = to_json(
        [
            {
                "Config": blob_path(config),
                "RepoTags": [f"fairlead:{options.version}"],
                "Layers": [blob_path(layer)],
            }
        ]
    )
    layout.write(options.image, options.created)


if __name__ == "__main__":
    main()
