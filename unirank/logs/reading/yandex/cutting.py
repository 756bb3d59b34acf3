"""The text of a log in blocks of whole sessions."""

from collections.abc import Iterator

MARK = b"\xef\xbb\xbf"  # of UTF-8, at the start of some files


class TooLongError(Exception):
    """A session is too long to be put together in passing."""


def whole_sessions(blocks: Iterator[bytes], longest: int) -> Iterator[bytes]:
    """The same bytes, cut where a session begins; none may have many more than `longest`.

    The last line ends, like the others, with the end of a line.
    """
    rest = b""
    for number, block in enumerate(blocks):
        text = block if number else block.removeprefix(MARK)
        cut = last_session(text)
        if cut:
            yield b"".join((rest, memoryview(text)[:cut]))
            rest = text[cut:]
        elif len(rest) > longest:
            raise TooLongError
        else:
            rest += text
    if rest:
        yield rest if rest.endswith(b"\n") else rest + b"\n"


def last_session(text: bytes) -> int:
    """Where the last session begins, whose lines may go on; 0 if all may be one session.

    The first line may be the end of one that began before, and a line without a tab is anyone's.
    """
    end = text.rfind(b"\n") + 1
    start, session = end, None
    while begin := text.rfind(b"\n", 0, max(end - 1, 0)) + 1:
        name, tab, _ = text[begin:end].partition(b"\t")
        if tab:
            if session is not None and name != session:
                return start
            start, session = begin, name
        end = begin
    return 0
