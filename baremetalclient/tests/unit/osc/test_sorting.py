import pytest

from baremetalclient import exc
from baremetalclient.osc.sorting import Order, cut, parse_order, sort_rows


def test_keys_and_directions():
    assert parse_order("name:desc,uuid") == [Order("name", "desc"), Order("uuid")]
    assert parse_order(None) == []


@pytest.mark.parametrize("text", ["name:down", ":asc", "name,", "name:"])
def test_wrong_orders(text):
    with pytest.raises(exc.CommandError, match="--sort takes"):
        parse_order(text)


def test_several_keys_and_nulls_first():
    rows = [{"a": 2, "b": "x"}, {"a": None, "b": "y"}, {"a": 1, "b": "x"}]
    assert sort_rows(rows, parse_order("b,a:desc")) == [rows[0], rows[2], rows[1]]
    assert [row["a"] for row in sort_rows(rows, parse_order("a"))] == [None, 1, 2]


def test_values_of_several_types_can_be_sorted():
    rows = [{"a": {"x": 1}}, {"a": 3}, {"a": "b"}, {}]
    assert [row.get("a") for row in sort_rows(rows, parse_order("a"))] == [None, 3, "b", {"x": 1}]


def test_cutting():
    rows = [{}, {}, {}]
    assert [len(cut(rows, limit)) for limit in (None, 0, 2, 9)] == [3, 3, 2, 3]
