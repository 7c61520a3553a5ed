"""Several of our texts in one post: cut apart, changed and taken out one by one."""

from __future__ import annotations

import pytest

from rules.play.joined import find_place, find_texts, put_text, split_texts, take_text, trim_end

OPEN = "ptd1:alfa:1.1:open:1/1:8f3ac1d2"
RECEIPTS = "ptd1:alfa:1.1:receipts:1/1"
PART_1, PART_2 = (f"ptd1:alfa:1.1:report:{part}/2:0000000{part}" for part in (1, 2))
FIRST, SECOND, THIRD = f"Uno\n\n{OPEN}", f"Acuses: 1\n\n{RECEIPTS}", f"Parte\n\n{PART_1}"
TOGETHER = f"{FIRST}\n[hr]\n{SECOND}\n[hr]\n{THIRD}"


def test_texts_end_in_their_markers() -> None:
    """Whatever the forum puts between them: a line across, an empty line, nothing."""
    assert (FIRST, SECOND, THIRD) == split_texts(TOGETHER)
    assert (FIRST, SECOND) == split_texts(f"{FIRST}\n\n{SECOND}\n")
    assert (FIRST, SECOND) == split_texts(f"{FIRST}\n{SECOND}")


@pytest.mark.parametrize("post", [FIRST, "a mano", f"{FIRST}\n\ny algo más", f"el marcador es {OPEN}", ""])
def test_a_post_with_one_text_is_that_text(post: str) -> None:
    """Also where a marker stands in it that isn't the last line: copied, that is none."""
    assert (post,) == split_texts(post)


def test_what_was_written_by_hand_before_it_is_no_part_of_a_text() -> None:
    """Where the forum's line stands between them."""
    assert (FIRST,) == split_texts(f"¡Bienvenidos!\n[hr]\n{FIRST}")


def test_a_text_is_found_by_its_marker() -> None:
    """As often as it stands there, and not by another's."""
    assert (SECOND,) == find_texts(TOGETHER, RECEIPTS)
    assert (FIRST, FIRST) == find_texts(f"{FIRST}\n[hr]\n{FIRST}", OPEN)
    assert () == find_texts(TOGETHER, PART_2)
    assert () == find_texts(f"{FIRST}\n\ny algo más", OPEN)


def test_a_new_version_takes_the_place_of_the_old() -> None:
    """The others and what stands between them stay as they are."""
    new = f"Acuses: 2\n\n{RECEIPTS}"
    assert TOGETHER.replace(SECOND, new) == put_text(TOGETHER, new)
    assert f"A mano\n[hr]\n{new}" == put_text(f"A mano\n[hr]\n{SECOND}", new)


def test_a_new_version_may_have_more_parts() -> None:
    """Markers of edited texts change in their number of parts only."""
    new = f"Acuses: muchos\n\n{RECEIPTS.replace('1/1', '1/2')}"
    assert TOGETHER.replace(SECOND, new) == put_text(TOGETHER, new)
    assert find_place(RECEIPTS) == find_place(new.rpartition("\n")[2])


def test_a_post_of_one_text_is_replaced_as_a_whole() -> None:
    """As ever; but among others nothing is replaced that isn't there."""
    assert "otra cosa" == put_text(FIRST, "otra cosa")
    assert None is put_text(TOGETHER, f"Parte 2\n\n{PART_2}")
    assert None is put_text(TOGETHER, "otra cosa")


def test_a_copy_is_taken_out() -> None:
    """The last one, with the line before it; the only text of a post can't be."""
    assert TOGETHER == take_text(f"{TOGETHER}\n[hr]\n{SECOND}", RECEIPTS)
    assert f"{FIRST}\n[hr]\n{THIRD}" == take_text(TOGETHER, RECEIPTS)
    assert None is take_text(FIRST, OPEN)
    assert None is take_text(TOGETHER, PART_2)


def test_what_stands_above_a_text_that_is_cut_off_stays() -> None:
    """Without the line that the forum had put between them, so that its own marker is the last line again."""
    assert (FIRST, FIRST) == (trim_end(f"{FIRST}\n[hr]\n"), trim_end(f"{FIRST}\n\n"))
