"""Identity: which browser is which, who sits where, who is the host, in one database of its own.

Laws: what is granted is on disk before it is answered. Nothing here carries a time: a credential
counts for as long as it is stored. No backup holds the file, so that no revoked credential comes
back and none travels; a restore frees the seats in it and signs all hosts out.
"""

from companion.identity.store import IdentityStore

__all__ = ["IdentityStore"]
