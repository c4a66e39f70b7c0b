"""Static files over real sockets: answered without Flask, to our own host names only."""

import gzip

from web.static_files import file_addresses, find_file

MAIN = file_addresses()["js/main.mjs"]


async def asked(cafe, path: str, *lines: str) -> tuple[str, bytes]:
    """The head and the body of the answer."""
    head = "\r\n".join((f"GET {path} HTTP/1.1", "Host: localhost", *lines, "", ""))
    told, _, rest = (await cafe.says(head.encode())).partition(b"\r\n\r\n")
    length = next(line for line in told.decode().split("\r\n") if "Content-Length" in line)
    return told.decode(), rest[: int(length.partition(": ")[2])]


def test_a_file_is_packed_for_those_who_take_it(serve):
    async def story(cafe):
        file = find_file(MAIN)
        plain = await asked(cafe, f"{MAIN}?again=1")
        packed = await asked(cafe, MAIN, "Accept-Encoding: gzip, deflate, br")
        assert plain[1] == gzip.decompress(packed[1]) == file.plain
        assert "Content-Encoding: gzip" in packed[0]
        assert "Content-Encoding" not in plain[0]
        for head, _ in (plain, packed):
            assert head.startswith("HTTP/1.1 200 ")
            assert "Vary: Accept-Encoding" in head
            assert "Vary: Accept-Encoding, Cookie" not in head
            for line in (f"{name}: {value}" for name, value in file.headers.items()):
                assert line in head

    serve(story)
