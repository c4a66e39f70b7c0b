"""The addresses to which files are sent as a whole, and the type that they have."""

UPLOAD_PATH = "/api/host/restore/file"
RELEASE_PATH = "/api/host/machine/release"
FLOOR_RELEASE_PATH = "/api/floor/acts/release"
PHOTO_PATH = "/api/host/booklet/photos"
OCTET_STREAM = "application/octet-stream"
