"""Tornado: sockets, server-sent events, uploads and downloads."""
