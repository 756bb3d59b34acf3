"""The two logs that Yandex published: lines of pages and of clicks, told apart by a letter.

A click belongs to a page of its session that shows its url: to the page it names, or, where it
names none, to the latest page that is not after it; of pages at the same time, to the one whose
query comes last as text. A url that stands twice on a page is clicked where it stands first.

Two readings, with the same result. Where the lines of a session stand together, as in the
published files, compiled code puts each session together as it passes (`grouped`). Lines in any
order, and other engines than DuckDB, need joins (`scattered`).
"""
