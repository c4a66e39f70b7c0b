"""The bench protocol: twelve measurements of real readers and stickers, and the file they make."""
