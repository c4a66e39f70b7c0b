#!/bin/bash -e
# Go on from the system of the stage before.
if [ ! -d "${ROOTFS_DIR}" ]; then
    copy_previous
fi
