#!/bin/bash -e
# Lay our packages into the system, and where apt finds newer ones; systemd/packaging/image/build copied them here.
install -m 644 files/table-companion.deb files/table-companion-kiosk.deb "${ROOTFS_DIR}/var/tmp/"
if [ -n "${TABLE_APT}" ]; then
    install -m 644 files/table-companion.asc "${ROOTFS_DIR}/etc/apt/keyrings/table-companion.asc"
    cat >"${ROOTFS_DIR}/etc/apt/sources.list.d/table-companion.sources" <<SOURCE
Types: deb
URIs: ${TABLE_APT}
Suites: ${RELEASE}
Components: main
Signed-By: /etc/apt/keyrings/table-companion.asc
SOURCE
fi
