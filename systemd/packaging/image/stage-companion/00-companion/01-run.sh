#!/bin/bash -e
# Lay our package into the system; systemd/packaging/image/build copied it here.
install -m 644 files/table-companion.deb "${ROOTFS_DIR}/tmp/table-companion.deb"
