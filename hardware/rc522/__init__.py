"""The driver for MFRC522 readers: the `mfrc522` package's registers, our own algorithms."""
