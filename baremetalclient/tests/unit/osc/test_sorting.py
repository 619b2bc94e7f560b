import pytest

from baremetalclient import exc
from baremetalclient.osc.sorting import SortKey, first_items, parse_sort, sort_items


def test_keys_and_directions():
    assert parse_sort("name:desc,uuid") == [SortKey("name", "desc"), SortKey("uuid")]
    assert parse_sort(None) == []


@pytest.mark.parametrize("text", ["name:down", ":asc", "name,", "name:"])
def test_invalid_values(text):
    with pytest.raises(exc.CommandError, match="of --sort"):
        parse_sort(text)


def test_several_keys_and_nulls_first():
    rows = [{"a": 2, "b": "x"}, {"a": None, "b": "y"}, {"a": 1, "b": "x"}]
    assert sort_items(rows, parse_sort("b,a:desc")) == [rows[0], rows[2], rows[1]]
    assert [row["a"] for row in sort_items(rows, parse_sort("a"))] == [None, 1, 2]


def test_values_of_several_types_can_be_sorted():
    rows = [{"a": {"x": 1}}, {"a": 3}, {"a": "b"}, {}]
    assert [row.get("a") for row in sort_items(rows, parse_sort("a"))] == [None, 3, "b", {"x": 1}]


def test_the_first_items():
    rows = [{}, {}, {}]
    assert [len(first_items(rows, limit)) for limit in (None, 0, 2, 9)] == [3, 3, 2, 3]
