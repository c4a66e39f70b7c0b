"""What only root may do on this Pi, asked for on a page: versions, power, Wi-Fi.

Laws: the table's own user writes an errand, one at a time, and root carries it out
(`companion-caretaker.service`); there is no other way from a page to root. Root believes nothing
that the errand says: it takes a version only if it is signed with the key that root trusts, and
reads files of the table's user as copies.
"""
