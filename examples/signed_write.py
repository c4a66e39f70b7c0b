"""Write to a table from a program: register a key once, then sign what is sent.

.venv/bin/python examples/signed_write.py http://localhost:8000 /api/join/seats/1 '{"key": "sit-1"}'

It prints the answer, or its status. The file `cookie` holds the cookie of this program, the file
`key` its private key and the number of the table's start: keep both to yourself. Without `.venv`
it needs `pip install pynacl`.
"""
# ruff: noqa: T201  (an example prints)

import hashlib
import json
import secrets
import sys
import urllib.error
import urllib.request
from pathlib import Path

from nacl.signing import SigningKey

KEY, COOKIE = Path("key"), Path("cookie")


def main(table: str, path: str, body: str) -> None:
    if not KEY.exists():
        KEY.touch(0o600)
        KEY.write_text(json.dumps([SigningKey.generate().encode().hex(), "0" * 32]))
        public_key = SigningKey(bytes.fromhex(load_key()[0])).verify_key.encode().hex()
        registration = {"key": "register", "public_key": public_key}
        send(table, "/api/browser/key", json.dumps(registration).encode())
    print(send(table, path, body.encode()))


def send(table: str, path: str, body: bytes) -> str:
    """Send a signed body; once more if another start is to be signed, as at first."""
    status, answer = post(table, path, body)
    if status == 403 and json.loads(answer)["code"] == "other_start":
        KEY.write_text(json.dumps([load_key()[0], json.loads(answer)["start"]]))
        status, answer = post(table, path, body)
    return answer or str(status)


def post(table: str, path: str, body: bytes) -> tuple[int, str]:
    head = {"Origin": table, "Content-Type": "application/json"}
    head["Companion-Signature"] = make_signature(path, body)
    head["Cookie"] = COOKIE.read_text() if COOKIE.exists() else ""
    request = urllib.request.Request(table + path, body, head, method="POST")
    try:
        with urllib.request.urlopen(request) as answer:
            if "Set-Cookie" in answer.headers:
                COOKIE.write_text(answer.headers["Set-Cookie"].partition(";")[0])
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refused:
        return refused.code, refused.read().decode()


def make_signature(path: str, body: bytes) -> str:
    """Sign method, path, start, a fresh attempt number and the hash of the body."""
    secret, start = load_key()
    attempt, digest = secrets.token_hex(16), hashlib.sha256(body).hexdigest()
    text = "\n".join(("companion request 1", "POST", path, start, attempt, digest))
    signature = SigningKey(bytes.fromhex(secret)).sign(text.encode()).signature
    return f"{start}.{attempt}.{signature.hex()}"


def load_key() -> tuple[str, str]:
    secret, start = json.loads(KEY.read_text())
    return secret, start


if __name__ == "__main__":
    main(*sys.argv[1:])
