"""What cannot be bundled."""


class BundleError(Exception):
    """The reason, in one sentence that begins with the file."""
