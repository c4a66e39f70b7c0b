"""The driver for USB readers: an ACR122U and its kind, through PC/SC and the `pyscard` package."""
