"""Identity: which browser is which, who sits where, who is the host, in one database of its own.

Laws: what is granted is on disk before it is answered. Nothing here carries a time: a credential
counts for as long as it is stored. Backup and restore never read the file, so that no revoked
credential comes back and none travels.
"""

from companion.identity.store import IdentityStore

__all__ = ["IdentityStore"]
